/** What the audit keeps of a call: who, what, when, how it ended, and arguments and results without their secrets. */
import type { CallLine } from '../ledger/audit/line.ts'
import { CODE, RpcError, toErrorDetail } from '../protocol/errors.ts'
import { redact, scrub, secretTexts } from '../protocol/secret.ts'
import { META } from '../protocol/versions.ts'
import type { Tool } from '../tool/tool.ts'
import type { Call } from './call.ts'
import { type Ended, Outcome } from './outcome.ts'

/** Bound once per tool: nearly all have no secrets, and those that have none pay nothing for those that do. */
export function lineWriter(tool: Tool): (call: Call, ended: Ended) => CallLine {
  const hasSecrets = tool.input.secrets.size > 0 || tool.output.secrets.size > 0
  return hasSecrets ? secretLine : plainLine
}

function plainLine(call: Call, ended: Ended): CallLine {
  const { tool } = call
  const context = call.meta[META.context] === undefined ? undefined : call.context
  const isOutcome = ended instanceof Outcome
  return {
    call_id: call.id,
    time: call.time,
    principal: call.caller.principal.id,
    transport: call.caller.transport,
    tool: tool.name,
    version: call.missing === undefined ? tool.version : null,
    outcome: isOutcome ? ended.status : outcomeOf(ended),
    error_type: isOutcome ? (ended.error === null ? null : ended.error.error_type) : errorTypeOf(ended),
    // The clock may be set back meanwhile.
    duration_ms: Math.max(0, Date.now() - call.time),
    run: text(context?.run),
    step: text(context?.step),
    approval: call.approval,
    repeat_of: call.repeatOf,
    // A name nobody registered has no schema that could say what is secret in its arguments.
    args: call.missing === undefined ? call.args : undefined,
    args_hash: null,
    data: isOutcome ? ended.data : null,
    data_text: isOutcome && ended.data !== null ? ended.text : undefined,
    error: isOutcome ? ended.error : null,
  }
}

/** The context comes from outside: what should be a text may be anything. */
const text = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null)

function secretLine(call: Call, ended: Ended): CallLine {
  const { input, output } = call.tool
  const line = plainLine(call, ended)
  const known = new Set([...input.secrets, ...output.secrets])
  const found = [...secretTexts(call.args, input.secrets), ...secretTexts(line.data, output.secrets)]
  // Arguments that break the schema may have their secret under a name that nobody marked: nothing of them is kept.
  const args = line.error_type === 'SchemaError' ? undefined : scrub(redact(call.args ?? {}, known), found)
  return {
    ...line,
    args,
    args_hash: call.argsHash,
    data: scrub(redact(line.data, known), found),
    data_text: undefined,
    error: line.error === null ? null : (scrub(redact(line.error, known), found) as CallLine['error']),
  }
}

const outcomeOf = (ended: Ended): CallLine['outcome'] =>
  ended instanceof RpcError ? (ended.code === CODE.internal ? 'fault' : 'failure') : 'input_required'

const errorTypeOf = (ended: Ended): string | null =>
  ended instanceof RpcError && ended.code !== CODE.internal ? toErrorDetail(ended, '').error_type : null
