/**
 * Waits for a person's decision about one exact call: as a task for as long as the request is valid, otherwise while the call is held. Trust and
 * the dry run are judged again before an approval is used, because the wait may have taken days. The request for approval outlives the wait.
 */
import type { Approval } from '../../../ledger/decisions/approvals.ts'
import { toErrorDetail } from '../../../protocol/errors.ts'
import type { Call } from '../../call.ts'
import { type CallEnd, cancellation, failure } from '../../outcome.ts'
import type { WaitsFor } from '../../task-hooks.ts'
import { deniedNow, notApproved } from './endings.ts'

/** How often a waiting call looks by itself, whatever the watch on decisions has seen. */
const LOOK_MS = 2000
/** How often a held call reports to its client that it still waits. Clients give up after 60 seconds without a report, some sooner. */
const REPORT_MS = 5000

export interface Wait {
  readonly requested: Approval
  /** a denial of the same call from before */
  readonly denial: Approval | undefined
  /** why the call may no longer run, although it was approved */
  readonly judge: () => Promise<CallEnd | undefined>
  /** uses the approval; undefined: another call did */
  readonly use: () => Promise<Approval | undefined>
}

/** For a call that became a task. */
export async function waitAsTask(call: Call, wait: Wait): Promise<Approval | CallEnd> {
  const { requested, denial } = wait
  await call.taskHooks?.onWait?.(waitsFor(requested, denial))
  const decided = (await untilDecided(call, wait, () => Number.POSITIVE_INFINITY)) as Approval | CallEnd
  if ('decided_by' in decided) await call.taskHooks?.onWait?.(undefined)
  return decided
}

const waitsFor = ({ id, reason }: Approval, denial: Approval | undefined): WaitsFor => ({
  approval: id,
  reason,
  ...(denial !== undefined && { denied: denial.id }),
})

/**
 * Keeps the request of the call open, if the operator wants that and there is a place. Undefined: nobody has decided by now. Calls that a tool
 * makes are not held, because the time of that tool goes on, and neither are steps of a run, which wait as part of it.
 */
export async function holdOpen(call: Call, wait: Wait): Promise<Approval | CallEnd | undefined> {
  const { approvalSettings, heldCalls } = call.pipeline
  if (approvalSettings.holdMs === 0 || call.depth > 0 || call.caller.runContext !== undefined) return undefined
  const leave = heldCalls.enter(call.principal.id, approvalSettings, (why) => call.interrupt(why))
  if (leave === undefined) return undefined
  const forget = call.caller.onGone?.(() => call.interrupt(cancellation('the connection closed')))
  const report = (): void =>
    call.stillWaiting(`Waiting for a human: approval ${wait.requested.id} (${wait.requested.reason}).`)
  const until = performance.now() + approvalSettings.holdMs
  const { round } = heldCalls
  const end = (): number => (round.isOver ? 0 : until)
  const reporting = setInterval(report, REPORT_MS)
  try {
    report()
    return await untilDecided(call, wait, end, () => call.caller.isAway === true)
  } finally {
    clearInterval(reporting)
    forget?.()
    leave()
  }
}

/**
 * Until a person has decided, the request has expired, the call is interrupted, or `end` has come: then undefined. While nobody `isAway` to read the
 * result of the call, the approval is not used: the client may never come back, and send the call again elsewhere.
 */
async function untilDecided(
  call: Call,
  wait: Wait,
  end: () => number,
  isAway = () => false,
): Promise<Approval | CallEnd | undefined> {
  const { approvals } = call.pipeline.ledger
  const { requested } = wait
  for (;;) {
    const now = await approvals.find(requested.id)
    if (now === undefined || now.status === 'expired') return notApproved(requested, 'has expired')
    if (now.status === 'denied') return deniedNow(now)
    if (now.status === 'used') return notApproved(now, USED)
    const refused = now.status === 'approved' ? await wait.judge() : undefined
    if (call.interrupted !== undefined) return failure(toErrorDetail(call.interrupted, call.id))
    if (refused !== undefined) return refused
    if (now.status === 'approved' && !isAway()) return (await wait.use()) ?? notApproved(now, USED)
    const left = end() - performance.now()
    if (left <= 0) return undefined
    await nextLook(call, requested.id, Math.min(LOOK_MS, left))
  }
}

const USED = 'was used by another call'

/** Resolves when somebody has decided, the call is interrupted, or it is time to look again. */
function nextLook(call: Call, id: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    // The deadline of a tool that waits for its answers listens too.
    const outer = call.onInterrupt
    const done = (): void => {
      clearTimeout(timer)
      forget()
      stay()
      call.onInterrupt = outer
      resolve()
    }
    const timer = setTimeout(done, Math.max(1, ms))
    const { ledger, heldCalls } = call.pipeline
    const forget = ledger.approvals.onceDecided(id, done)
    const stay = heldCalls.onEnd(done)
    call.onInterrupt = (why) => {
      done()
      outer?.(why)
    }
  })
}
