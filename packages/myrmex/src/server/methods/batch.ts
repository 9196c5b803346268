/** Many calls in one request, with a result each: `myrmex/batch` and `POST /batch`. */
import * as z from 'zod'
import type { Caller } from '../../pipeline/caller.ts'
import { failure, Outcome } from '../../pipeline/outcome.ts'
import { combinedStatus } from '../../pipeline/pipeline.ts'
import { MAX_MESSAGE_STEPS } from '../../protocol/bounded-schema/limits.ts'
import { anyObject, type ToolCall, ToolCallSchema, type ToolResult } from '../../protocol/envelope.ts'
import { envelopeIssues, invalidEnvelope } from '../../protocol/envelope-text.ts'
import { invalidParams, RpcError, ToolError, toErrorDetail } from '../../protocol/errors.ts'
import type { Issue } from '../../protocol/issue.ts'
import { isObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_BATCH } from '../../protocol/message-limits.ts'
import { paramsError, TaskRequestSchema } from '../../protocol/messages.ts'
import { toJson } from '../../protocol/serialise.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import { META } from '../../protocol/versions.ts'
import type { Principal } from '../../tool/context.ts'
import { type CallerSource, type Exchange, plainCaller } from '../exchange.ts'
import { withEnvelope } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import type { Method } from './method-table.ts'
import { untilListed } from './once-listed.ts'

/** Reads one entry of a batch. Throws ToolError if it is not a call. */
export type CallReader = (entry: unknown) => { name: string; args: unknown; meta?: Params }

/** The caller of a batch, which came with the request of `source`. Its calls share the steps of one message. */
export const batchCaller = (
  transport: string,
  principal: Principal,
  source: CallerSource,
  onGone?: Caller['onGone'],
): Caller => plainCaller(transport, principal, { schemaSteps: { left: MAX_MESSAGE_STEPS }, source, onGone })

/** `_meta` of the whole request that holds for each of its calls. */
export interface SharedMeta {
  /** a call's own key wins */
  readonly key?: string | undefined
  /** no call of the request can be more than a dry run */
  readonly dryRun?: unknown
}

/** Called when a call of a batch has ended, with the number of those that have. */
type OnCallEnd = (ended: number) => void

/** A repeated batch with the same key runs only the calls that had not run: each call gets the batch's key and its position. */
export async function runBatch(
  server: Server,
  calls: readonly unknown[],
  read: CallReader,
  caller: Caller,
  { key, dryRun }: SharedMeta = {},
  onCallEnd?: OnCallEnd,
): Promise<{ status: ToolResult['status']; results: ToolResult[] }> {
  let ended = 0
  // An empty key stays empty, so that every call is rejected: with a position it would look valid.
  const keyAt = (index: number): string | undefined => (key ? `${key}#${index}` : key)
  const slices = new TimeSlices()
  const started: Promise<ToolResult>[] = []
  for (const [index, entry] of calls.entries()) {
    const result = callToResult(server, entry, read, caller, { key: keyAt(index), dryRun })
    started.push(result)
    if (onCallEnd !== undefined) result.then(() => onCallEnd(++ended))
    // A call starts a moment later than its function: after this its arguments are checked, and the slice has the time of it.
    await undefined
    if (slices.isOver) await slices.pause()
  }
  const results = await Promise.all(started)
  return { status: combinedStatus(results), results }
}

/** Returns a ToolResult in every case and never throws. */
export async function callToResult(
  server: Server,
  entry: unknown,
  read: CallReader,
  caller: Caller,
  { key, dryRun }: SharedMeta = {},
): Promise<ToolResult> {
  try {
    const wanted = await readRecorded(server, entry, read, caller)
    if (wanted instanceof Outcome) return wanted.toResult()
    const { meta } = wanted
    const { name, arguments: args } = server.view.alias?.(wanted.name, wanted.args, caller.principal) ?? {
      name: wanted.name,
      arguments: wanted.args,
    }
    const listing = untilListed(server, name)
    if (listing !== undefined) await listing
    const keyed = key === undefined ? meta : { [META.idempotencyKey]: key, ...meta }
    const whole = dryRun === undefined || dryRun === false ? keyed : { ...keyed, [META.dryRun]: dryRun }
    const outcome = await server.pipeline.call(caller, name, args, whole)
    if (outcome instanceof Outcome) return outcome.toResult()
    throw outcome instanceof RpcError
      ? outcome
      : ToolError.of('UnavailableError', 'The tool asks for input; call it with tools/call.')
  } catch (thrown) {
    if (thrown instanceof ToolError || thrown instanceof RpcError) return failure(toErrorDetail(thrown, '')).toResult()
    return failure(toErrorDetail(thrown, server.fault(thrown))).toResult()
  }
}

/** Rejects an invalid call, and records the rejection if it names a tool. */
async function readRecorded(
  server: Server,
  entry: unknown,
  read: CallReader,
  caller: Caller,
): Promise<ReturnType<CallReader> | Outcome> {
  try {
    return read(entry)
  } catch (thrown) {
    const name = isObject(entry) ? (entry.tool_name ?? entry.name) : undefined
    if (!(thrown instanceof ToolError) || typeof name !== 'string') throw thrown
    const call = server.pipeline.malformed(caller, name, invalidParams(thrown.message))
    const ended = call.commit(await server.pipeline.run(call))
    if (ended instanceof Outcome) return ended
    throw thrown
  }
}

/**
 * A ToolCall whose tool may also be named flat or bare, as in `tools/call`. Members named `__proto__` and numbers out of range are left to
 * the gates, which look at the arguments anyway.
 */
const NamedCall = ToolCallSchema.extend({ tool_name: z.string(), arguments: anyObject })

/** The ToolCall of the specification. The name is looked up as that of `tools/call` is, so it need not be canonical. */
export const readToolCall: CallReader = (entry) => {
  const issues = envelopeIssues(NamedCall, entry)
  if (issues.length > 0) throw invalidEnvelope('ToolCall', withoutValues(issues))
  const { tool_name, arguments: args } = entry as ToolCall
  return { name: tool_name, args }
}

/** Nobody knows which tool was meant, so nobody knows which values are secret. */
const withoutValues = (issues: readonly Issue[]): Issue[] =>
  issues.map(({ path, constraint }) => ({ path, constraint, message: constraint, value: null }))

/** The params of `tools/call`, or a ToolCall. */
const readEntry: CallReader = (entry) => {
  if (isObject(entry) && Object.hasOwn(entry, 'tool_name')) return readToolCall(entry)
  const error = paramsError(TaskRequestSchema.shape.params, entry)
  if (error !== undefined) throw ToolError.of('ValidationError', `Not a call: ${error.message}`)
  const { name, arguments: args = {}, _meta = {} } = entry as { name: string; arguments?: Params; _meta?: Params }
  return { name, args, meta: { ...(toJson(_meta, { what: 'arguments', at: ['_meta'] }) as Params) } }
}

export const batch: Method = async (exchange, server) => {
  const calls = exchange.params?.calls
  if (!Array.isArray(calls)) throw invalidParams('calls must be an array')
  if (calls.length > MAX_BATCH) throw invalidParams(`calls has ${calls.length} entries; ${MAX_BATCH} are the most`)
  const held = new Set<() => void>()
  exchange.onCancel = () => {
    for (const leave of held) leave()
  }
  const caller = batchCaller(exchange.transport, exchange.principal, exchange, (leave) => {
    if (exchange.cancelled) leave()
    held.add(leave)
    const stay = exchange.onGone(leave)
    return () => {
      held.delete(leave)
      stay()
    }
  })
  const key = exchange.meta?.[META.idempotencyKey]
  if (key !== undefined && typeof key !== 'string')
    throw invalidParams(`_meta["${META.idempotencyKey}"] must be a string`)
  const shared = { key, dryRun: exchange.meta?.[META.dryRun] }
  return withEnvelope(exchange, await runBatch(server, calls, readEntry, caller, shared, reporter(exchange, calls)))
}

/** Reports how many calls have ended, if the client wants to know. */
function reporter(exchange: Exchange, { length: total }: readonly unknown[]): OnCallEnd | undefined {
  const progressToken = exchange.meta?.[META.progressToken]
  if (progressToken === undefined) return undefined
  return (progress) => exchange.notify('notifications/progress', { progressToken, progress, total })
}
