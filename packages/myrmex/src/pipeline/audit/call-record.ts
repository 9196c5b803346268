/** Builds the audit record of a call: who, what, when, how and why it ended, and arguments and result without their secrets. */
import type { CallRecord } from '../../ledger/audit/call-record.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { type ErrorType, RpcError, toErrorDetail } from '../../protocol/errors.ts'
import { hasMoreValuesThan } from '../../protocol/issue.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { shownVersion } from '../../tool/server-version.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { sentArguments } from '../gates/approve/edited-call.ts'
import { type CallEnd, Fault, Outcome } from '../outcome.ts'
import { errorWithoutSecrets, hasSecrets, secretFilter } from './call-secrets.ts'

/** Bound once per tool: tools without secrets, nearly all of them, pay nothing for the others. */
export function recordBuilder(tool: Tool): (call: Call, ended: CallEnd) => CallRecord {
  const recordOf = hasSecrets(tool) ? secretLine : plainOrAnswered
  return (call, ended) => (call.notes.isUnread && isLarge(call) ? unreadLine(call, ended) : recordOf(call, ended))
}

/** Answers of the client may have secrets. */
const plainOrAnswered = (call: Call, ended: CallEnd): CallRecord =>
  call.answerRounds.length === 0 ? plainLine(call, ended) : secretLine(call, ended)

/** More values, or more characters in its own members, are not read for a call that was refused before anybody read them. */
const LARGE_VALUES = 1000
const LARGE_TEXT = 65_536

function isLarge({ args }: Call): boolean {
  return hasMoreValuesThan(args, LARGE_VALUES) || hasLongText(args)
}

/** Of few values. */
function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LARGE_TEXT
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => key.length > LARGE_TEXT || hasLongText(item))
}

/** A refused call must cost its caller more than the server: neither its arguments nor their hash are recorded. */
function unreadLine(call: Call, ended: CallEnd): CallRecord {
  return { ...plainLine(call, ended, true), args: undefined, are_args_unread: true }
}

function plainLine(call: Call, ended: CallEnd, isUnread = false): CallRecord {
  const { tool, notes } = call
  const { runContext } = call.caller
  const context = runContext ?? (call.meta[META.context] === undefined ? undefined : call.context)
  const isOutcome = ended instanceof Outcome
  const error = isOutcome ? ended.error : rpcError(ended)
  return {
    call_id: call.id,
    time: call.time,
    principal: call.caller.principal.id,
    profile: call.caller.principal.profile ?? null,
    transport: call.caller.transport,
    client_record: call.caller.recordedClient ?? null,
    tool: tool.name,
    version: call.notFound === undefined ? versionOf(tool) : null,
    outcome: notes.isWaiting ? 'waiting' : isOutcome ? ended.status : outcomeOf(ended),
    // A call that waits has not failed, although its caller gets an error.
    error_type: error === null || notes.isWaiting ? null : text(error.error_type),
    // The clock may be set back meanwhile.
    duration_ms: Math.max(0, Date.now() - call.time),
    run: text(context?.run),
    step: text(context?.step),
    approval: notes.approval,
    repeat_of: notes.repeatOf,
    dry_run: call.isDryRun ? true : null,
    // A name nobody registered has no schema that could say what is secret in its arguments.
    args: call.notFound === undefined ? call.shownArguments : undefined,
    args_hash: isUnread ? null : hashToRecord(call),
    sent: notes.edited === null ? null : sentArguments(notes.edited),
    data: isOutcome ? ended.data : null,
    // A forwarded result is written from the other server's answer, not from its data.
    data_text: isOutcome && ended.data !== null && ended.forwarded === null ? ended.text : undefined,
    error,
    cause: notes.cause,
    input_schema: tool.input.json,
    output_schema: tool.output.json,
    nested_args: call.undoOf !== undefined || call.answerRounds.length > 0,
  }
}

/** Of undos only: what they sent also has the result of the call that they undo, so `args` does not tell. */
const hashToRecord = (call: Call): string | null =>
  call.undoOf === undefined || call.notFound !== undefined ? null : (call.recordedHash ?? null)

const versionOf = (tool: Tool): string => (tool.origin === 'own' ? tool.version : shownVersion(tool))

/** What comes from outside may be anything, of any length. */
const text = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null)

function secretLine(call: Call, ended: CallEnd): CallRecord {
  const line = plainLine(call, ended)
  try {
    return withoutSecrets(call, line)
  } catch {
    // Getters or proxies that throw: it cannot be searched for secrets, so only the call itself is recorded.
    const error = line.error && { error_type: line.error.error_type, error_message: '[not kept]', error_details: null }
    return { ...line, args: undefined, data: null, data_text: undefined, error }
  }
}

function withoutSecrets(call: Call, line: CallRecord): CallRecord {
  const secrets = secretFilter(call, line.data)
  const isMisfit = line.error_type === 'SchemaError'
  const told = isMisfit ? withoutValues(line.error) : line.error
  const error = told && errorWithoutSecrets(told, secrets)
  return {
    ...line,
    // Arguments that break the schema may have secrets under other names: nothing of them is kept.
    args: isMisfit ? undefined : secrets.value(call.shownArguments ?? {}),
    args_hash: call.recordedHash ?? null,
    data: line.data === null ? null : secrets.value(line.data),
    data_text: undefined,
    error_type: line.error_type && text(error?.error_type),
    error,
  }
}

/** Keeps the location and rule of each issue, but not the value. */
function withoutValues(error: CallRecord['error']): CallRecord['error'] {
  const details = error?.error_details
  if (error === null || !isObject(details) || !Array.isArray(details.issues)) return error
  const issues = (details.issues as JsonObject[]).map(({ path, constraint, message }) => ({
    path,
    constraint,
    message,
  }))
  return { ...error, error_details: { ...details, issues } }
}

const outcomeOf = (ended: CallEnd): CallRecord['outcome'] =>
  ended instanceof RpcError ? (ended instanceof Fault ? 'fault' : 'failure') : 'input_required'

const INTERNAL: ErrorType = 'InternalError'

/** A failed request: an upstream's JSON-RPC error, an unknown tool, malformed params, or a fault of our own. */
function rpcError(ended: CallEnd): ErrorDetail | null {
  if (!(ended instanceof RpcError)) return null
  const { code, message, data } = ended
  return {
    error_type: ended instanceof Fault ? INTERNAL : toErrorDetail(ended, '').error_type,
    error_message: message,
    error_details: { code, ...(data !== undefined && { data }) },
  }
}
