/**
 * Undo: a call with `_meta["myrmex/undo"]` names a recorded call of the same principal and runs its tool's `undo` instead of `run`. The
 * arguments and the data come from the ledger, never from the caller. Every gate judges an undo as a call that changes state, and it
 * has its effect once (gates/undoable.ts). It returns the data that was undone.
 */
import { canonical } from '../protocol/canonical.ts'
import { constraintTexts } from '../protocol/issue.ts'
import { isObject } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'
import type { Tool } from '../tool/tool.ts'
import type { Call } from './call.ts'
import { jsonOutput } from './json-output.ts'
import { Outcome, refusal } from './outcome.ts'

const MAX_ID_LENGTH = 200

/** Loads the recorded call, its arguments and its data into the call. Returns a failure if it cannot be undone. */
export async function loadUndone(call: Call): Promise<Outcome | undefined> {
  const { tool, undoOf, principal } = call
  if (tool.undo === undefined) {
    return refusal(
      'ValidationError',
      `${tool.name} ${tool.version} cannot be undone: it declares no undo. Call it without _meta["${META.undo}"].`,
      { tool: tool.name, version: tool.version },
    )
  }
  if (typeof undoOf !== 'string' || undoOf === '' || undoOf.length > MAX_ID_LENGTH) {
    return refusal(
      'ValidationError',
      `_meta["${META.undo}"] must be the id of the call to undo: the call_id in _meta["${META.result}"] of its result.`,
    )
  }
  const undone = await call.pipeline.ledger.undoableCalls.find({
    call_id: undoOf,
    principal: principal.id,
    tool: tool.name,
  })
  if (undone === undefined) return unknownCall(tool, undoOf)
  if (undone.version !== tool.version) {
    return refusal(
      'ValidationError',
      `Call ${undoOf} was made with version ${undone.version} of ${tool.name}, and this is version ${tool.version}. ` +
        `Send _meta["${META.version}"]: "${undone.version}" too.`,
      { call_id: undoOf, version: undone.version },
    )
  }
  if (!areSame(call.args, undone.arguments)) {
    return refusal(
      'ValidationError',
      `The undo has other arguments than call ${undoOf}. Send none: they come from the ledger.`,
      { call_id: undoOf },
    )
  }
  return fill(call, undone)
}

function fill(call: Call, undone: NonNullable<Call['undone']>): Outcome | undefined {
  const { tool } = call
  const input = tool.input.parse(undone.arguments)
  if (!input.success) return misfit(undone.call_id, 'arguments', tool, constraintTexts(input.issues))
  const data = jsonOutput(tool).parse(undone.data)
  if (!data.success) return misfit(undone.call_id, 'data', tool, constraintTexts(data.issues))
  call.args = undone.arguments
  call.input = input.data
  call.undoInput = tool.returnsText ? (data.data as { text: string }).text : data.data
  call.undone = undone
  return undefined
}

/** Nobody learns which calls other principals made. */
const unknownCall = ({ name }: Tool, id: string): Outcome =>
  refusal(
    'ValidationError',
    `There is no call ${id} of yours that ${name} could undo. Only calls of the same principal that succeeded can be undone, for 30 ` +
      `days. If a result was repeated under an idempotency key, name the first call: repeat_of in its _meta["${META.result}"].`,
    { call_id: id },
  )

const misfit = (id: string, what: string, { name, version }: Tool, why: string): Outcome =>
  refusal(
    'ValidationError',
    `Call ${id} cannot be undone: its recorded ${what} do not fit ${name} ${version} as it is now: ${why}`,
    { call_id: id, tool: name, version },
  )

/** Arguments beside an undo are not needed. If there are some, they must be those of the recorded call. */
function areSame(sent: unknown, recorded: unknown): boolean {
  if (sent === undefined || (isObject(sent) && Object.keys(sent).length === 0)) return true
  try {
    return canonical(sent) === canonical(recorded)
  } catch {
    // Only a caller in this process can send something that is not JSON.
    return false
  }
}

export async function runUndo(call: Call): Promise<Outcome> {
  await call.tool.undo?.(call.input, call.undoInput, call)
  const data = (call.undone?.data ?? null) as Record<string, unknown> | null
  return new Outcome('success', data, null, 'What the call did was undone.', null)
}
