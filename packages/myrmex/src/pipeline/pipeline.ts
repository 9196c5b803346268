/**
 * The pipeline: the only way to a tool, a resource, a prompt or an upstream. Requests, batches, tasks, `ctx.call` and agents all
 * come through here; no other function runs any of them.
 */
import { isDeepStrictEqual } from 'node:util'
import { nothingSwitched, type SwitchRow, type SwitchState } from '../ledger/decisions/switches.ts'
import type { Recorder } from '../ledger/journal/group.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { memoryLedger } from '../ledger/open.ts'
import type { LogLevel } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { RpcError, ToolError, toErrorDetail } from '../protocol/errors.ts'
import { getOrMake } from '../protocol/get-or-make.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import type { Principal } from '../tool/context.ts'
import { couldMean } from '../tool/possible-resources.ts'
import type { Registry } from '../tool/registry.ts'
import { compatibleRange, type Tool } from '../tool/tool.ts'
import { withoutSecretTexts } from './audit/call-secrets.ts'
import { MemoryRecorder } from './audit/memory-recorder.ts'
import { CallMetrics } from './audit/metrics.ts'
import { Call } from './call.ts'
import type { Caller } from './caller.ts'
import { compose } from './compose.ts'
import { find, missingTool } from './find.ts'
import type { Gate, Step } from './gate.ts'
import { HeldCalls } from './gates/approve/held-calls.ts'
import { approve } from './gates/approve.ts'
import { ask } from './gates/ask.ts'
import { authorise } from './gates/authorise.ts'
import { type Breaker, breaker } from './gates/break.ts'
import { budget } from './gates/budget.ts'
import { check } from './gates/check.ts'
import { deadline } from './gates/deadline.ts'
import { DeadlineTimer } from './gates/deadline-timer.ts'
import { admitDryRun, runDry, sayDryRun } from './gates/dry-run.ts'
import { headers } from './gates/headers.ts'
import { idempotency } from './gates/idempotency.ts'
import { KeyQueue } from './gates/key-queue.ts'
import { limit, limitCaller } from './gates/limit.ts'
import { middleware } from './gates/middleware.ts'
import { quota } from './gates/quota.ts'
import { record } from './gates/record.ts'
import { run } from './gates/run.ts'
import { switches, why } from './gates/switches.ts'
import { trace } from './gates/trace.ts'
import { trust } from './gates/trust.ts'
import { undoable } from './gates/undoable.ts'
import { validate } from './gates/validate.ts'
import { type Middleware, middlewareOf } from './middleware.ts'
import { type CallEnd, failure, isHidden, Outcome } from './outcome.ts'
import { RequestCall, type RequestWork } from './request-call.ts'
import { type ApprovalSettings, approvalSettings } from './rules/approval-settings.ts'
import { articlesFor, type Constitution, EMPTY_CONSTITUTION } from './rules/constitution.ts'
import { EMPTY_POLICY, hasApprovalRule, type Policy } from './rules/policy.ts'
import { Profiles } from './rules/profiles.ts'
import { UnsavedResults } from './unsaved-results.ts'

/**
 * The gates in the order in which a call passes them. `find` comes first; `record` writes last and encloses the others. Scopes and
 * limits come before anything that reads the arguments, so that nobody without a right costs more than a look-up.
 */
export const GATES: readonly { readonly name: string; readonly gate: Gate }[] = [
  { name: 'authorise', gate: authorise },
  { name: 'switches', gate: switches },
  { name: 'limit', gate: limit },
  { name: 'headers', gate: headers },
  { name: 'validate', gate: validate },
  { name: 'trust', gate: trust },
  { name: 'middleware', gate: middleware },
  { name: 'ask', gate: ask },
  { name: 'approve', gate: approve },
  { name: 'budget', gate: budget },
  { name: 'break', gate: breaker },
  { name: 'deadline', gate: deadline },
  { name: 'idempotency', gate: idempotency },
  { name: 'quota', gate: quota },
  { name: 'switches again', gate: switches },
  { name: 'undoable', gate: undoable },
  { name: 'check', gate: check },
  { name: 'run', gate: run },
]
const ENCLOSING_GATES: readonly Gate[] = [trace, record]

const OWN_GATES: readonly Gate[] = [...ENCLOSING_GATES, ...GATES.map(({ gate }) => gate)]
/** A dry run has no effect, so the gates that are about effects are left out. See gates/dry-run.ts. */
const EFFECT_GATES = new Set<Gate>([approve, budget, breaker, idempotency, quota, undoable])
const DRY_RUN_GATES: readonly Gate[] = OWN_GATES.filter((gate) => !EFFECT_GATES.has(gate)).flatMap((gate) => {
  if (gate === record) return [record, sayDryRun]
  if (gate === ask) return [admitDryRun, ask]
  return gate === run ? [runDry] : [gate]
})

/** Nothing of an upstream's definition is used before somebody has reviewed it, so `trust` comes before `headers` and `validate`. */
const forUpstream = (gates: readonly Gate[]): readonly Gate[] =>
  gates.filter((gate) => gate !== trust).flatMap((gate) => (gate === headers ? [trust, gate] : [gate]))

const CHAINS = {
  own: { call: OWN_GATES, dryRun: DRY_RUN_GATES },
  upstream: { call: forUpstream(OWN_GATES), dryRun: forUpstream(DRY_RUN_GATES) },
} as const

/** A chain of sub-calls this long is a loop. */
const MAX_DEPTH = 32

/** Keys that are only about the request itself and are not passed on to sub-calls. */
const OWN_META = [META.progressToken, META.idempotencyKey, META.version, META.undo, META.handOver] as const

/** An internal error, for the log and never for the caller. */
export interface ObservedError {
  readonly call_id: string
  readonly tool: string
  readonly thrown: unknown
}

/** What code of this program said with `ctx.log`, without the secrets of its call. */
export interface LoggedMessage {
  readonly call_id: string
  /** the tool; for another request the name of its definition, such as `travel.resource_note` */
  readonly tool: string
  readonly level: LogLevel
  /** the third argument of `ctx.log`, by default the tool */
  readonly logger: string
  /** as it was passed, which may be something that is not JSON */
  readonly data: unknown
}

/** The request that makes a sub-call: a call, or a custom method. */
export type ParentRequest = Pick<Call, 'caller' | 'meta' | 'depth'>

export interface PipelineOptions {
  /** the durable store; default: in memory, lost when the process ends */
  ledger?: Ledger
  /** receives audit records instead of the ledger */
  recorder?: Recorder
  /** the operator's rules: approvals, limits */
  policy?: Policy
  /** what happens to calls that wait for approval; default: as the policy says */
  approvals?: Partial<ApprovalSettings>
  /** rules that no call may break */
  constitution?: Constitution
  /** the operator's tool sets; see rules/profiles.ts. Default: none */
  profiles?: Profiles
  /** runs around every request to a tool, resource, prompt or method, the first one outermost */
  use?: readonly Middleware[]
  /** receives internal errors: everything that was thrown and not declared */
  observe?: (observed: ObservedError) => void
  /** receives what tools, resources, prompts and methods of this program say with `ctx.log` */
  log?: (message: LoggedMessage) => void
  /** why a tool may be unknown, in a sentence */
  explainMissingTool?: (name: string, principal: Principal) => string | undefined
}

export class Pipeline {
  readonly registry: Registry
  readonly recorder: Recorder
  readonly profiles: Profiles
  /** what the operator has switched off; read for every call */
  readonly switches: SwitchState
  /** may change while calls wait */
  approvalSettings: ApprovalSettings
  /** calls that are held open until a person decides */
  readonly heldCalls = new HeldCalls()
  readonly use: readonly Middleware[]
  readonly metrics = new CallMetrics()
  /** for the deadlines of all calls */
  readonly deadlineTimer = new DeadlineTimer()
  /** one per tool and version; it outlives the composed chain */
  readonly breakers = new Map<string, Breaker>()
  /** results of keyed calls that the ledger could not take yet */
  readonly unsavedResults = new UnsavedResults(() => this.ledger)
  /** calls that wait for another one with the same idempotency key */
  readonly keyQueue = new KeyQueue()
  readonly #observe: ((observed: ObservedError) => void) | undefined
  readonly #log: ((message: LoggedMessage) => void) | undefined
  readonly #explainMissingTool: PipelineOptions['explainMissingTool'] | undefined
  /** A tool is frozen, so its chain is valid until the registry changes. */
  readonly #chains = new Map<Tool, Step>()
  #requestChains = new WeakMap<Tool, Step>()
  #dryRunChains = new WeakMap<Tool, Step>()
  #rejectMissing: Step
  #policy: Policy
  #constitution: Constitution
  #ledger: Ledger | undefined
  #turn: Promise<void> | undefined

  constructor(registry: Registry, options: PipelineOptions = {}) {
    this.registry = registry
    this.#ledger = options.ledger
    this.recorder = options.recorder ?? options.ledger?.journal ?? new MemoryRecorder()
    this.#policy = options.policy ?? EMPTY_POLICY
    this.#constitution = options.constitution ?? EMPTY_CONSTITUTION
    this.profiles = options.profiles ?? new Profiles()
    this.switches = options.ledger?.switches.state ?? nothingSwitched()
    if (options.ledger !== undefined) listenForStop(new WeakRef(this), options.ledger)
    this.approvalSettings = { ...approvalSettings(this.#policy.waiting), ...options.approvals }
    this.use = middlewareOf(options.use)
    this.#observe = options.observe
    this.#log = options.log
    this.#explainMissingTool = options.explainMissingTool
    this.#rejectMissing = limitCaller(endMissing, this)
    registry.onChange(() => this.#chains.clear())
  }

  get policy(): Policy {
    return this.#policy
  }

  get constitution(): Constitution {
    return this.#constitution
  }

  /** New rules of the operator, for all calls that start from now on. Calls in flight end under the rules that they started with. */
  setRules(policy: Policy, constitution: Constitution): void {
    if (!isDeepStrictEqual(policy.breaker, this.#policy.breaker)) this.breakers.clear()
    this.#policy = policy
    this.#constitution = constitution
    // Rules are bound when a chain is composed.
    this.#chains.clear()
    this.#requestChains = new WeakMap()
    this.#dryRunChains = new WeakMap()
    this.#rejectMissing = limitCaller(endMissing, this)
  }

  /** The ledger; created in memory on first use if none was given. */
  get ledger(): Ledger {
    this.#ledger ??= memoryLedger()
    return this.#ledger
  }

  /** False: nobody can have decided anything yet, so only the origin of a tool counts. */
  get hasLedger(): boolean {
    return this.#ledger !== undefined
  }

  /** Whether this call may have to wait for approval. */
  mayWait({ tool, changesState }: Pick<Call, 'tool' | 'changesState'>): boolean {
    if (changesState || hasApprovalRule(this.policy, tool, (name) => couldMean(tool, name))) return true
    return articlesFor(this.constitution, tool).some(({ ask: asks }) => asks !== undefined)
  }

  /** Runs one call to its end; its record is durable when this resolves. Errors are in the result, not thrown. */
  async call(caller: Caller, name: string, args: unknown, meta?: Params): Promise<CallEnd> {
    return this.complete(this.prepare(caller, name, args, meta))
  }

  /** The same for a prepared call, which the caller may interrupt. */
  async complete(call: Call): Promise<CallEnd> {
    const ended = await this.run(call)
    // Records of the same turn are written together at its end.
    if (call.isPending) await this.#endOfTurn()
    return call.commit(ended)
  }

  /** One promise for all: what waits for it continues in one go, so that the next changes of the ledger are written together too. */
  #endOfTurn(): Promise<void> {
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined
        resolve()
      })
    })
    return this.#turn
  }

  /** The halves of `call`, for the server, which may turn what is between them into a task. */
  prepare(caller: Caller, name: string, args: unknown, meta?: Params, depth = 0): Call {
    const found = find(this.registry, name, meta, caller.principal, this.profiles, this.#explainMissingTool)
    if (!(found instanceof RpcError)) return new Call(this, found, caller, args, meta, depth)
    return new Call(this, missingTool(name), caller, args, meta, depth, found)
  }

  /** A request for something that is not a tool; see tool/request-definition.ts. */
  prepareRequest(
    caller: Caller,
    definition: Tool,
    args: JsonObject,
    meta: Params | undefined,
    work: RequestWork,
  ): Call {
    return new RequestCall(this, definition, caller, args, meta, work)
  }

  /** A malformed call that names a tool: it ends with this error and is recorded like every other. */
  malformed(caller: Caller, name: string, why: RpcError): Call {
    return new Call(this, missingTool(name), caller, undefined, undefined, 0, why)
  }

  /** Pass the result through `Call.commit` before it leaves. */
  run(call: Call): CallEnd | Promise<CallEnd> {
    if (call.notFound !== undefined) return record(call.tool, this.#rejectMissing, this)(call)
    if (call.isDryRun) return getOrMake(this.#dryRunChains, call.tool, this.#composeDryRun)(call)
    const chain = this.#chains.get(call.tool) ?? this.#compose(call)
    return chain(call)
  }

  /** A call that another call, or a method of one's own, makes on its caller's behalf. */
  async subCall(parent: ParentRequest, target: string | Tool, args: Record<string, unknown>): Promise<ToolResult> {
    const name = typeof target === 'string' ? target : target.name
    if (parent.depth >= MAX_DEPTH) {
      throw ToolError.of('ToolExecutionError', `${name} would be call number ${MAX_DEPTH} of a chain: a loop.`)
    }
    const meta = { ...parent.meta }
    for (const own of OWN_META) delete meta[own]
    if (typeof target !== 'string') meta[META.version] = compatibleRange(target)
    const call = this.prepare(parent.caller, name, args, meta, parent.depth + 1)
    const ended = call.commit(await this.run(call))
    // No such tool: a mistake of the calling tool, not of its caller.
    if (ended === call.notFound) return failure(toErrorDetail(ended, call.id)).toResult()
    // Questions and protocol errors end the parent too: only its own request can carry them to the client.
    if (!(ended instanceof Outcome)) throw ended
    return ended.toResult()
  }

  observe(call: Call, thrown: unknown): void {
    if (this.#observe === undefined || !isHidden(thrown)) return
    this.#observe({ call_id: call.id, tool: call.tool.name, thrown: withoutSecretTexts(call, thrown) })
  }

  /** Messages of an upstream go to its caller only: they may have arguments of any other caller in them. */
  log(call: Call, level: LogLevel, data: unknown, logger: string): void {
    if (this.#log === undefined || call.tool.origin === 'upstream') return
    this.#log({ call_id: call.id, tool: call.tool.name, level, logger, data })
  }

  /** Requests to upstream servers are cancelled with their calls. */
  abortAll(stop: SwitchRow): void {
    const stopped = (then: string): ToolError =>
      ToolError.of('CancelledError', `The operator has stopped all calls${why(stop)}. ${then}`, { switch: 'stop' })
    this.deadlineTimer.interruptAll(stopped('The tool was asked to stop; what it had done by then may be done.'))
    this.heldCalls.interruptAll(stopped('The call was still waiting for approval. Nothing was run.'))
  }

  #compose(call: Call): Step {
    // Definitions of requests come and go with their items, of which the registry knows nothing.
    const chains = call instanceof RequestCall ? this.#requestChains : this.#chains
    return getOrMake(chains, call.tool, (tool) => compose(CHAINS[tool.origin].call, tool, this))
  }

  readonly #composeDryRun = (tool: Tool): Step => compose(CHAINS[tool.origin].dryRun, tool, this)
}

/** A ledger outlives servers, which nobody has to close: it must not keep their pipelines. */
function listenForStop(pipeline: WeakRef<Pipeline>, { switches: all }: Ledger): void {
  const forget = all.onChange(({ stop }) => stop && pipeline.deref()?.abortAll(stop))
  collected.register(pipeline.deref() as Pipeline, forget)
}
const collected = new FinalizationRegistry((forget: () => void) => forget())

const endMissing: Step = ({ notFound }) => notFound as RpcError

/** success if all are, failure if all failed, else partial_success. */
export function combinedStatus(results: readonly { status: Outcome['status'] }[]): Outcome['status'] {
  const failed = results.filter(({ status }) => status === 'failure').length
  if (failed === 0) return 'success'
  return failed === results.length ? 'failure' : 'partial_success'
}
