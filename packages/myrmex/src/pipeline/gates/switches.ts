/**
 * switches: what the operator has switched off for everybody. It comes twice: right after `authorise`, so that nothing else is done for a
 * call that cannot run, and right before the tool, because a call may have waited meanwhile for a person, an answer or another call.
 * While nothing is switched, a call costs one read of a field.
 *
 * | switch | refuses | a call in flight |
 * | --- | --- | --- |
 * | stop | every request: tools, resources, prompts, undo. A search passes, like a list | is aborted |
 * | read-only | what changes state: destructive tools, every undo | finishes |
 */
import { readOnlyFor, type SwitchRow } from '../../ledger/decisions/switches.ts'
import { isObject } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type Outcome, refusal } from '../outcome.ts'
import { isSearchTool } from '../rules/profiles.ts'

export const switches: Gate = (tool, next, { switches: state }) => {
  if (isSearchTool(tool)) return next
  return (call) => {
    if (!state.isOn) return next(call)
    return refusalOf(call) ?? next(call)
  }
}

function refusalOf(call: Call): Outcome | undefined {
  const { tool, caller, pipeline } = call
  const { switches: state } = pipeline
  if (state.stop !== undefined) return refused(call, `The operator has stopped all calls${why(state.stop)}.`, 'stop')
  const { profile } = caller.principal
  const row = readOnlyFor(state, profile)
  if (row === undefined || !call.changesState) return undefined
  const where = state.readOnly === undefined ? `the profile ${profile}` : 'this host'
  const what = call.undoOf === undefined ? `${tool.name} changes state` : `An undo of ${tool.name} changes state`
  return refused(call, `The operator has switched ${where} to read-only${why(row)}. ${what}.`, 'read_only')
}

function refused(call: Call, message: string, by: 'stop' | 'read_only'): Outcome {
  call.note({ isUnread: true })
  return refusal('PermissionError', `${message} Nothing was run. Try again when the operator has switched it back.`, {
    tool: call.tool.name,
    switch: by,
  })
}

const saysStop = (details: unknown): boolean => isObject(details) && details.switch === 'stop'

/** Interrupted by the switch that stops everything: its tool, if it had started, was asked to stop. */
export const isInterruptedByStop = ({ interrupted }: Call): boolean => saysStop(interrupted?.error_details)

/** The same, or rejected by that switch before its tool started. A recorded result, and the words of another server, say nothing about now. */
export const isEndedByStop = (call: Call, { error }: Pick<Outcome, 'error'>): boolean => {
  if (error === null) return false
  const hasRun = call.started || call.notes.repeatOf !== null
  return isInterruptedByStop(call) || (!hasRun && saysStop(error.error_details))
}

/** The operator wrote it, or somebody who can write the store. */
export const why = ({ reason }: SwitchRow): string =>
  reason === '' ? '' : ` (${clip(reason.replace(/[\p{C}\s]+/gu, ' '), MAX_REASON)})`

const MAX_REASON = 300
