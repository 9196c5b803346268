/** Builds the audit record of a call: who, what, when, how it ended, and arguments and result without their secrets. */
import type { CallRecord } from '../../ledger/audit/call-record.ts'
import { CODE, RpcError, toErrorDetail } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { redact, scrub } from '../../protocol/secret.ts'
import { META } from '../../protocol/versions.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type CallEnd, Outcome } from '../outcome.ts'
import { secretsOf } from './call-secrets.ts'

/** Bound once per tool: tools without secrets, nearly all of them, pay nothing for the others. */
export function recordBuilder(tool: Tool): (call: Call, ended: CallEnd) => CallRecord {
  const hasSecrets = tool.input.secrets.size > 0 || tool.output.secrets.size > 0
  return hasSecrets ? secretLine : plainLine
}

function plainLine(call: Call, ended: CallEnd): CallRecord {
  const { tool } = call
  const { runContext } = call.caller
  const context = runContext ?? (call.meta[META.context] === undefined ? undefined : call.context)
  const isOutcome = ended instanceof Outcome
  return {
    call_id: call.id,
    time: call.time,
    principal: call.caller.principal.id,
    transport: call.caller.transport,
    tool: tool.name,
    version: call.notFound === undefined ? tool.version : null,
    outcome: isOutcome ? ended.status : outcomeOf(ended),
    error_type: isOutcome ? (ended.error === null ? null : ended.error.error_type) : errorTypeOf(ended),
    // The clock may be set back meanwhile.
    duration_ms: Math.max(0, Date.now() - call.time),
    run: text(context?.run),
    step: text(context?.step),
    approval: call.notes.approval,
    repeat_of: call.notes.repeatOf,
    // A name nobody registered has no schema that could say what is secret in its arguments.
    args: call.notFound === undefined ? call.shownArguments : undefined,
    args_hash: call.undoData === undefined || call.notFound !== undefined ? null : hashOf(call),
    data: isOutcome ? ended.data : null,
    // A forwarded result is written from the other server's answer, not from its data.
    data_text: isOutcome && ended.data !== null && ended.forwarded === null ? ended.text : undefined,
    error: isOutcome ? ended.error : null,
  }
}

/** Null if JSON cannot hold the arguments; such a call was refused. */
function hashOf(call: Call): string | null {
  try {
    return call.argsHash
  } catch {
    return null
  }
}

/** The context comes from outside: what should be a text may be anything. */
const text = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null)

function secretLine(call: Call, ended: CallEnd): CallRecord {
  const line = plainLine(call, ended)
  try {
    return withoutSecrets(call, line)
  } catch {
    // Nested too deeply, or no JSON: it cannot be searched for secrets, so only the call itself is recorded.
    const error = line.error && { error_type: line.error.error_type, error_message: '[not kept]' }
    return { ...line, args: undefined, data: null, data_text: undefined, error }
  }
}

function withoutSecrets(call: Call, line: CallRecord): CallRecord {
  const { secrets, texts } = secretsOf(call, line.data)
  const clean = <T>(value: T): T => scrub(redact(value, secrets), texts) as T
  const isMisfit = line.error_type === 'SchemaError'
  return {
    ...line,
    // Arguments that break the schema may have secrets under other names: nothing of them is kept.
    args: isMisfit ? undefined : clean(call.shownArguments ?? {}),
    args_hash: call.argsHash,
    data: clean(line.data),
    data_text: undefined,
    error: clean(isMisfit ? withoutValues(line.error) : line.error),
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
  ended instanceof RpcError ? (ended.code === CODE.internal ? 'fault' : 'failure') : 'input_required'

const errorTypeOf = (ended: CallEnd): string | null =>
  ended instanceof RpcError && ended.code !== CODE.internal ? toErrorDetail(ended, '').error_type : null
