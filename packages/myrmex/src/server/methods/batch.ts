/** Many calls in one request, with a result each: `myrmex/batch` and `POST /batch`. */
import type { Caller } from '../../pipeline/caller.ts'
import { failure, Outcome } from '../../pipeline/outcome.ts'
import { combinedStatus } from '../../pipeline/pipeline.ts'
import { MAX_MESSAGE_STEPS } from '../../protocol/bounded-schema/limits.ts'
import { ToolCallSchema, type ToolResult } from '../../protocol/envelope.ts'
import { invalidParams, RpcError, ToolError, toErrorDetail } from '../../protocol/errors.ts'
import { MAX_ISSUES } from '../../protocol/issue.ts'
import { isObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_BATCH } from '../../protocol/message-limits.ts'
import { clip } from '../../protocol/text.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import { META } from '../../protocol/versions.ts'
import type { Principal } from '../../tool/context.ts'
import { plainCaller } from '../exchange.ts'
import { withEnvelope } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import type { Method } from './method-table.ts'

/** Reads one entry of a batch. Throws ToolError if it is not a call. */
export type CallReader = (entry: unknown) => { name: string; args: unknown; meta?: Params }

/** The caller of a batch. Its calls share the steps of one message. */
export const batchCaller = (transport: string, principal: Principal): Caller =>
  plainCaller(transport, principal, { left: MAX_MESSAGE_STEPS })

/** A repeated batch with the same key runs only the calls that had not run: each call gets the batch's key and its position. */
export async function runBatch(
  server: Server,
  calls: readonly unknown[],
  read: CallReader,
  caller: Caller,
  key?: string,
): Promise<{ status: ToolResult['status']; results: ToolResult[] }> {
  // An empty key stays empty, so that every call is rejected: with a position it would look valid.
  const keyAt = (index: number): string | undefined => (key ? `${key}#${index}` : key)
  const slices = new TimeSlices()
  const started: Promise<ToolResult>[] = []
  for (const [index, entry] of calls.entries()) {
    started.push(callToResult(server, entry, read, caller, keyAt(index)))
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
  key?: string,
): Promise<ToolResult> {
  try {
    const wanted = await readRecorded(server, entry, read, caller)
    if (wanted instanceof Outcome) return wanted.toResult()
    const { name, args, meta } = wanted
    // The call's own key wins over its position in the batch.
    const keyed = key === undefined ? meta : { [META.idempotencyKey]: key, ...meta }
    const outcome = await server.pipeline.call(caller, name, args, keyed)
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

/** The names of unknown members are part of an issue. */
const MAX_ISSUE_LENGTH = 1000

/** Exactly the ToolCall of the specification. */
export const readToolCall: CallReader = (entry) => {
  // The schema would list them all, before the rights of the caller are known.
  if (isObject(entry) && hasMoreMembersThan(entry, MAX_ISSUES))
    throw ToolError.of('ValidationError', `Not a tool call: it has more than ${MAX_ISSUES} members`)
  const parsed = ToolCallSchema.safeParse(entry)
  if (parsed.success) return { name: parsed.data.tool_name, args: parsed.data.arguments }
  const issues = parsed.error.issues.map(({ path, message }) =>
    clip(`${path.join('.') || 'call'}: ${message}`, MAX_ISSUE_LENGTH),
  )
  throw ToolError.of('ValidationError', `Not a tool call: ${issues.join('; ')}`, { issues })
}

function hasMoreMembersThan(value: object, most: number): boolean {
  let count = 0
  for (const _ in value) if (++count > most) return true
  return false
}

const readParams: CallReader = (entry) => {
  if (!isObject(entry) || typeof entry.name !== 'string')
    throw ToolError.of('ValidationError', 'a call has a name and arguments')
  const args = entry.arguments ?? {}
  if (!isObject(args)) throw ToolError.of('ValidationError', 'arguments must be an object')
  const meta = entry._meta ?? {}
  if (!isObject(meta)) throw ToolError.of('ValidationError', '_meta must be an object')
  return { name: entry.name, args, meta: { ...(meta as Params) } }
}

export const batch: Method = async (exchange, server) => {
  const calls = exchange.params?.calls
  if (!Array.isArray(calls)) throw invalidParams('calls must be an array')
  if (calls.length > MAX_BATCH) throw invalidParams(`calls has ${calls.length} entries; ${MAX_BATCH} are the most`)
  const caller = batchCaller(exchange.transport, exchange.principal)
  const key = exchange.meta?.[META.idempotencyKey]
  if (key !== undefined && typeof key !== 'string')
    throw invalidParams(`_meta["${META.idempotencyKey}"] must be a string`)
  return withEnvelope(exchange, await runBatch(server, calls, readParams, caller, key))
}
