/**
 * An agent in a child process or behind a URL: a server of the host like any other. Its plans and verdicts are checked against the
 * schemas and its own tools, so it cannot plan with tools of others.
 */
import type { Host } from '../../host/host.ts'
import type { Upstream } from '../../host/upstream/upstream.ts'
import type { RequestCall } from '../../pipeline/request-call.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'
import { AGENT_EXTENSION, META } from '../../protocol/versions.ts'
import { agentMethodName } from '../../tool/request-definition.ts'
import type { Tool } from '../../tool/tool.ts'
import { upstreamListing } from '../../tool/upstream-listing.ts'
import type { Brain } from '../brain/brain.ts'
import { CRITIQUE_METHOD, PLAN_METHOD } from '../methods.ts'
import { PlanSchema } from '../plan/plan.ts'
import { checkedPlan, checkedVerdict } from '../plan-and-critique.ts'
import { askAgent } from './agent-scope.ts'
import { childLedger } from './child-ledger.ts'
import { type CallRefusal, type FleetMember, fleetProblem, fromHostProblem } from './fleet-agent.ts'
import { toolViewOf } from './tool-view.ts'

export interface RemoteOptions {
  readonly where: 'child' | 'url'
  readonly host: Host
  readonly upstream: Upstream
  /** used if the remote agent has no plan or critique method */
  readonly brain: () => Promise<Brain>
}

export function remoteAgent(name: string, { where, host, upstream, brain }: RemoteOptions): FleetMember {
  /** The highest version of each. */
  const ownTools = (): Tool[] => {
    const listed = host.server.registry.listed().map(({ tool }) => tool)
    return listed.filter((tool) => tool.name.startsWith(`${name}.`))
  }
  /** Its agent methods, or those of them that its author wrote, as of the last listing. */
  const methods = (which: 'methods' | 'own'): readonly unknown[] => {
    const { extensions } = upstream.listing?.capabilities ?? {}
    const agent = isObject(extensions) ? extensions[AGENT_EXTENSION] : undefined
    const list = isObject(agent) ? (agent[which] ?? agent.methods) : undefined
    return Array.isArray(list) ? list : []
  }
  /** Undefined: it does not have that method. Null: its answer is empty, which is not a valid plan or verdict. */
  const ask = async (method: string, params: JsonObject, signal?: AbortSignal): Promise<unknown> => {
    // The methods of an agent that was never reached are unknown.
    if (upstream.listing === undefined) await upstream.refresh()
    if (!methods('methods').includes(method)) return undefined
    const definition = host.definition(agentMethodName(name, method))
    if (definition === undefined)
      throw ToolError.of('UnavailableError', `${name} is not available: its server is closed or was never reached.`, {
        agent: name,
      })
    const work = async (ctx: RequestCall): Promise<unknown> => {
      const answer = await upstream.request(method, params, { timeoutMs: definition.timeout, signal: ctx })
      return answer.structuredContent ?? null
    }
    return askAgent(host.server.pipeline, { agent: name, definition, method, params, signal, work })
  }
  return {
    name,
    where,
    ledger: childLedger(upstream.settings),
    get hasOwnPlan() {
      return methods('own').includes(PLAN_METHOD)
    },
    get problems() {
      return host.problems.filter(({ server }) => server === name).map(fromHostProblem)
    },
    async plan(goal, context, signal) {
      // It may have started since the last refresh, and its tools are not known yet.
      if (ownTools().length === 0) await this.refresh()
      const tools = ownTools().map((tool) => toolViewOf(tool, name))
      const answer = await ask(PLAN_METHOD, { goal, context: context as JsonObject }, signal)
      const plan = answer === undefined ? (await (await brain()).plan({ goal, context, tools }, signal)).value : answer
      return (await checkedPlan(renamed(plan, name, ownTools()), tools, { goal, context }, name)).plan
    },
    async critique(request, signal) {
      const answer = await ask(CRITIQUE_METHOD, request as unknown as JsonObject, signal)
      if (answer !== undefined) return checkedVerdict(answer, name)
      return (await (await brain()).critique(request, signal)).value
    },
    async refusals(calls, signal) {
      const isOurChild = upstream.settings.handOverKey !== undefined
      const names = new Map(ownTools().map((tool) => [tool.name, upstreamListing(tool)?.name]))
      const planned = calls.map(
        ({ tool, arguments: args }): JsonObject => ({
          name: names.get(tool) ?? tool,
          // Nobody has approved yet that they go to anybody else.
          ...(isOurChild && args !== undefined && { arguments: args }),
        }),
      )
      const params: JsonObject = { _meta: { [META.refusals]: planned } }
      const { _meta } = await upstream.request('tools/list', params, { timeoutMs: REFUSALS_MS, signal: signal })
      return refusalsIn(isObject(_meta) ? _meta[META.refusals] : undefined, calls.length)
    },
    async refresh() {
      try {
        await host.refresh(name)
        return this.problems
      } catch (thrown) {
        // Its tools stay: it may be back before the next call.
        return [fleetProblem(name, thrown)]
      }
    },
  }
}

/** Asking must not hold up a plan. */
const REFUSALS_MS = 5_000
const MAX_REFUSAL_LENGTH = 500

/** The words of another server. One that knows no refusals answers without them. */
const refusalsIn = (given: unknown, count: number): CallRefusal[] =>
  (Array.isArray(given) ? given : []).slice(0, count).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.message !== 'string') return []
    const index = Number(one.index)
    return Number.isInteger(index) && index >= 0 && index < count
      ? [{ index, message: clip(one.message, MAX_REFUSAL_LENGTH), ...(one.asks === true && { asks: true }) }]
      : []
  })

/** An agent plans with the names that its own server lists. */
function renamed(plan: unknown, agent: string, tools: readonly Tool[]): unknown {
  const { data } = PlanSchema.safeParse(plan)
  if (data === undefined) return plan
  const names = new Map<string, string>()
  for (const tool of tools) {
    const { name } = tool
    const listed = upstreamListing(tool)?.name
    if (typeof listed === 'string') names.set(listed, name)
    // A prefixed name without its prefix.
    names.set(name.slice(agent.length + 1), name)
    names.set(name, name)
  }
  const nameOf = (tool: string): string => names.get(tool) ?? tool
  return {
    ...data,
    steps: data.steps.map((step) => ({ ...step, agent, tool: nameOf(step.tool) })),
    questions: data.questions.map((question) =>
      question.tool === undefined ? question : { ...question, tool: nameOf(question.tool) },
    ),
  }
}
