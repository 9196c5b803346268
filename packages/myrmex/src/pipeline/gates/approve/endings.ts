/** How a call ends that was not approved: it waits, it was denied, or its approval is gone. */
import type { Approval } from '../../../ledger/decisions/approvals.ts'
import { type Outcome, refusal } from '../../outcome.ts'

/** The caller cannot wait: the error asks it to send the call again later. A caller that was not there when the same call was denied hears it now. */
export function stillWaiting(
  { id, tool, reason, expires_at }: Approval,
  hasAnswers: boolean,
  denial: Approval | undefined,
): Outcome {
  const before = denial === undefined ? '' : ` The same call ${denialText(denial)} before, as approval ${denial.id}.`
  return refusal(
    'PermissionError',
    `${tool} needs a human's approval: ${reason.replace(/\.$/, '')}.${before} It waits as approval ${id}. Once the operator has run ` +
      `\`npx myrmex approvals approve ${id}\`, send the same call again: the same arguments${hasAnswers ? ', the same answers' : ''}, as the same principal.`,
    {
      approval: id,
      status: 'waiting',
      expires_at: isoTime(expires_at),
      ...(denial !== undefined && { denied: { approval: denial.id, note: denial.note } }),
    },
  )
}

/** Nobody is asked again until `until`. */
export function deniedBefore(denial: Approval, until: number): Outcome {
  const { id, tool, note, decided_at } = denial
  return refusal(
    'PermissionError',
    `${tool} was not run: the same call ${denialText(denial)}, as approval ${id}, on ${isoTime(decided_at ?? 0)}. It is not asked for ` +
      `again before ${isoTime(until)}. Do not repeat it: do without it, or send another call that the note allows.`,
    {
      approval: id,
      status: 'denied',
      until: isoTime(until),
      denied: { approval: id, note, decided_by: denial.decided_by, decided_at: isoTime(decided_at ?? 0) },
    },
  )
}

/** Decided while the call waited. */
export const deniedNow = ({ id, tool, decided_by, note }: Approval): Outcome =>
  refusal(
    'PermissionError',
    `${tool} was not run: approval ${id} was denied by ${decided_by}${note ? `: ${note}` : ''}.`,
    {
      approval: id,
      status: 'denied',
      denied: { approval: id, note },
    },
  )

export const notApproved = ({ id, tool }: Approval, why: string): Outcome =>
  refusal('PermissionError', `${tool} was not run: approval ${id} ${why}.`, { approval: id })

const denialText = ({ decided_by, note }: Approval): string =>
  `was denied by ${decided_by}${note ? ` (“${note}”)` : ''}`

const isoTime = (time: number): string => new Date(time).toISOString()
