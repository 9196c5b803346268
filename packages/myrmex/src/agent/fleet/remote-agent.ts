/**
 * An agent in a child process or behind a URL: a server of the host like any other. Its plans and verdicts are checked against the
 * schemas and its own tools, so it cannot plan with tools of others.
 */
import type { Host } from '../../host/host.ts'
import type { Upstream } from '../../host/upstream/upstream.ts'
import { RpcError, ToolError, toErrorDetail } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { AGENT_EXTENSION } from '../../protocol/versions.ts'
import type { Tool } from '../../tool/tool.ts'
import { upstreamListing } from '../../tool/upstream-listing.ts'
import type { Brain } from '../brain/brain.ts'
import type { CritiqueRequest, Verdict } from '../critic/verdict.ts'
import { CRITIQUE_METHOD, PLAN_METHOD } from '../methods.ts'
import { type Plan, type PlanContext, PlanSchema } from '../plan/plan.ts'
import { checkedPlan, checkedVerdict } from '../plan-and-critique.ts'
import { type FleetMember, type FleetProblem, fleetProblem, fromHostProblem } from './fleet-agent.ts'
import { toolViewOf } from './tool-view.ts'

/** A model may take long. A caller that does not want to wait passes a signal. */
const THINK_MS = 600_000

export interface RemoteOptions {
  readonly where: 'child' | 'url'
  readonly host: Host
  readonly upstream: Upstream
  /** used if the remote agent has no plan or critique method */
  readonly brain: () => Promise<Brain>
}

export class RemoteAgent implements FleetMember {
  readonly name: string
  readonly where: 'child' | 'url'
  readonly #host: Host
  readonly #upstream: Upstream
  readonly #brain: () => Promise<Brain>

  constructor(name: string, { where, host, upstream, brain }: RemoteOptions) {
    this.name = name
    this.where = where
    this.#host = host
    this.#upstream = upstream
    this.#brain = brain
  }

  /** As of the last listing. */
  get hasOwnPlan(): boolean {
    return this.#methods('own').includes(PLAN_METHOD)
  }

  get problems(): readonly FleetProblem[] {
    return this.#host.problems.filter(({ server }) => server === this.name).map(fromHostProblem)
  }

  async plan(goal: string, context: PlanContext, signal?: AbortSignal): Promise<Plan> {
    // It may have started since the last refresh, and its tools are not known yet.
    if (this.#tools().length === 0) await this.refresh()
    const tools = this.#tools().map((tool) => toolViewOf(tool, this.name))
    const answer = await this.#ask(PLAN_METHOD, { goal, context: context as JsonObject }, signal)
    const plan =
      answer === undefined ? (await (await this.#brain()).plan({ goal, context, tools }, signal)).value : answer
    return (await checkedPlan(this.#renamed(plan), tools, { goal, context }, this.name)).plan
  }

  async critique(request: CritiqueRequest, signal?: AbortSignal): Promise<Verdict> {
    const answer = await this.#ask(CRITIQUE_METHOD, request as unknown as JsonObject, signal)
    if (answer !== undefined) return checkedVerdict(answer, this.name)
    return (await (await this.#brain()).critique(request, signal)).value
  }

  async refresh(): Promise<readonly FleetProblem[]> {
    try {
      await this.#host.refresh(this.name)
      return this.problems
    } catch (thrown) {
      // Its tools stay: it may be back before the next call.
      return [fleetProblem(this.name, thrown)]
    }
  }

  /** The highest version of each. */
  #tools(): Tool[] {
    const { registry } = this.#host.server
    return registry
      .listed()
      .map(({ tool }) => tool)
      .filter(({ name }) => name.startsWith(`${this.name}.`))
  }

  /** Its agent methods, or those of them that its author wrote. */
  #methods(which: 'methods' | 'own'): readonly unknown[] {
    const { extensions } = this.#upstream.listing?.capabilities ?? {}
    const agent = isObject(extensions) ? extensions[AGENT_EXTENSION] : undefined
    const list = isObject(agent) ? (agent[which] ?? agent.methods) : undefined
    return Array.isArray(list) ? list : []
  }

  /** Undefined: it does not have that method. Null: its answer is empty, which is not a valid plan or verdict. */
  async #ask(method: string, params: JsonObject, signal?: AbortSignal): Promise<unknown> {
    // The methods of an agent that was never reached are unknown.
    if (this.#upstream.listing === undefined) await this.#upstream.refresh()
    if (!this.#methods('methods').includes(method)) return undefined
    try {
      const answer = await this.#upstream.request(method, params, { timeoutMs: THINK_MS, ...(signal && { signal }) })
      return answer.structuredContent ?? null
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown
      const { error_type, error_message, error_details } = toErrorDetail(thrown, this.name)
      throw new ToolError(error_type, `${this.name}: ${error_message}`, error_details, { cause: thrown })
    }
  }

  /** It plans with the names that its own server lists. */
  #renamed(plan: unknown): unknown {
    const parsed = PlanSchema.safeParse(plan)
    if (!parsed.success) return plan
    const names = new Map<string, string>()
    for (const tool of this.#tools()) {
      const { name } = tool
      const listed = upstreamListing(tool)?.name
      if (typeof listed === 'string') names.set(listed, name)
      // A prefixed name without its prefix.
      names.set(name.slice(this.name.length + 1), name)
      names.set(name, name)
    }
    const renamed = (tool: string): string => names.get(tool) ?? tool
    return {
      ...parsed.data,
      steps: parsed.data.steps.map((step) => ({ ...step, agent: this.name, tool: renamed(step.tool) })),
      questions: parsed.data.questions.map((question) =>
        question.tool === undefined ? question : { ...question, tool: renamed(question.tool) },
      ),
    }
  }
}
