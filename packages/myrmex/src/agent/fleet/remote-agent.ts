/**
 * An agent in a child process or behind a URL. Its tools are proxies; its plan and its verdict are what it answers, held against
 * the schemas and against its own tools: it cannot plan what is not its own.
 */
import { RpcError, ToolError, toErrorDetail } from '../../protocol/errors.ts'
import type { Registry } from '../../tool/registry.ts'
import type { Brain } from '../brain/brain.ts'
import type { CritiqueRequest, Verdict } from '../critic/verdict.ts'
import { CRITIQUE, PLAN } from '../methods.ts'
import { type Plan, type PlanContext, PlanSchema } from '../plan/plan.ts'
import { soundPlan, soundVerdict } from '../think.ts'
import type { Member } from './fleet-agent.ts'
import { type Offered, readListing } from './listing.ts'
import type { Place } from './places.ts'
import { type FleetProblem, problem } from './problem.ts'
import { Remote } from './remote.ts'
import { viewOf } from './view.ts'

/** A model may think for long; whoever does not want to wait gives a signal. */
const THINK_MS = 600_000
/** How long all pages of a list may take together. */
const LIST_MS = 30_000

export interface RemoteOptions {
  readonly place: Exclude<Place, { where: 'in-process' }>
  readonly registry: Registry
  readonly openMs: number | undefined
  /** thinks where the remote does not */
  readonly brain: () => Promise<Brain>
}

export class RemoteAgent implements Member {
  readonly name: string
  readonly where: 'child' | 'url'
  readonly remote: Remote
  readonly #options: RemoteOptions
  #offered: ReadonlyMap<string, Offered> = new Map()
  #own: readonly string[] = []

  constructor(name: string, options: RemoteOptions) {
    this.name = name
    this.where = options.place.where
    this.remote = new Remote(name, options.place.target, options.openMs)
    this.#options = options
  }

  /** As it said when it was last looked at. */
  get hasOwnPlan(): boolean {
    return this.#own.includes(PLAN)
  }

  async plan(goal: string, context: PlanContext, signal?: AbortSignal): Promise<Plan> {
    // It may have come up since it was last looked at, and its plan is of tools that nobody knows yet.
    if (this.#offered.size === 0) await this.look()
    const tools = [...this.#offered.values()].map(({ tool }) => viewOf(tool, this.name))
    const said = await this.#ask(PLAN, { goal, context }, signal)
    const plan =
      said === undefined
        ? (await this.#think()).plan({ goal, context, tools }, signal).then(({ value }) => value)
        : said
    return (await soundPlan(this.#renamed(await plan), tools, { goal, context }, this.name)).plan
  }

  async critique(request: CritiqueRequest, signal?: AbortSignal): Promise<Verdict> {
    const said = await this.#ask(CRITIQUE, request, signal)
    if (said !== undefined) return soundVerdict(said, this.name)
    return (await (await this.#think()).critique(request, signal)).value
  }

  async look(): Promise<readonly FleetProblem[]> {
    try {
      const { offered, problems } = await this.remote.use(async (connection) => {
        const tools = await connection.tools({ fresh: true, signal: AbortSignal.timeout(LIST_MS) })
        this.#own = connection.agent.own
        const version = connection.client.getServerVersion()?.version
        const { timeoutMs } = this.#options.place
        return readListing(this.remote, tools, { version, timeoutMs, before: this.#offered })
      })
      this.#replace(offered)
      return problems
    } catch (thrown) {
      // What it offered stays: it may be back before the next call.
      return [problem(this.name, thrown)]
    }
  }

  close(): Promise<void> {
    return this.remote.close()
  }

  /** Only what changed is touched: everybody who lists the fleet's tools is told of every change. */
  #replace(now: ReadonlyMap<string, Offered>): void {
    const { registry } = this.#options
    const stays = (name: string, offered: Offered): boolean => now.get(name)?.tool === offered.tool
    for (const [name, offered] of this.#offered) if (!stays(name, offered)) registry.unregister(name)
    for (const [name, { tool }] of now) if (this.#offered.get(name)?.tool !== tool) registry.register(tool)
    this.#offered = now
  }

  /** Undefined: it does not answer that method. */
  async #ask(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> {
    try {
      return await this.remote.use(async (connection) => {
        if (!connection.agent.methods.includes(method)) return undefined
        const answer = await connection.request(method, params, { timeoutMs: THINK_MS, ...(signal && { signal }) })
        // Nothing at all is no plan either; undefined would mean that it was never asked.
        return answer.structuredContent ?? null
      })
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown
      const { error_type, error_message, error_details } = toErrorDetail(thrown, this.name)
      throw new ToolError(error_type, `${this.name}: ${error_message}`, error_details, { cause: thrown })
    }
  }

  #think(): Promise<Brain> {
    return this.#options.brain()
  }

  /** It plans with the names that its tools have at home. */
  #renamed(plan: unknown): unknown {
    const parsed = PlanSchema.safeParse(plan)
    if (!parsed.success) return plan
    const names = new Map<string, string>()
    for (const [name, { listedAs }] of this.#offered) {
      names.set(listedAs, name)
      // A name that was prefixed is at home what stands behind the prefix.
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
