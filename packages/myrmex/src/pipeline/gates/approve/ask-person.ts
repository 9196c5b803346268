/**
 * Lets a call through that needs approval, if a person gave it for exactly this call:
 *
 * 1. A call that only returns a recorded result needs none.
 * 2. Arguments that a person changed take the place of those that were sent.
 * 3. The dry run comes first: a call that would fail is not put before a person, and uses no approval up.
 * 4. An approval is used, or requested. A call that was denied a short time ago is refused instead.
 * 5. Without a decision the call waits as a task, is held open, or fails and is to come again.
 */
import type { Approval } from '../../../ledger/decisions/approvals.ts'
import type { InputResponses } from '../../../protocol/content.ts'
import type { ErrorDetail } from '../../../protocol/envelope.ts'
import { RpcError, ToolError } from '../../../protocol/errors.ts'
import { isObject } from '../../../protocol/json.ts'
import type { Call } from '../../call.ts'
import type { Step } from '../../gate.ts'
import { AnswersWaiting, type CallEnd, comesAgain, InputRequired, Outcome, refusal } from '../../outcome.ts'
import { rehearse } from '../../rehearsal.ts'
import { findBreach } from '../../rules/article/evaluate.ts'
import { articlesFor } from '../../rules/constitution.ts'
import { idempotencyKeyOf } from '../idempotency.ts'
import { recheckTrust } from '../trust.ts'
import { planOf } from './cover.ts'
import { exchangeArguments, noteRepeated, sentHashOf, tellEdited } from './edited-call.ts'
import { deniedBefore, stillWaiting } from './endings.ts'
import { exactCall, mayBeEdited, natureOf, requestApproval, shownArgs, userOf } from './exact-call.ts'
import { holdOpen, type Wait, waitAsTask } from './wait.ts'

/** What a call of a tool meets when it needs approval. */
export interface ApprovalPath {
  readonly next: Step
  /** runs the tool's dry run, if it has one */
  readonly dryRun: Step | undefined
}

export function approvedBy(call: Call, approval: string, next: Step): CallEnd | Promise<CallEnd> {
  call.note({ approval })
  return next(call)
}

/**
 * `demand` says why the policy or the constitution wants approval; no standing grant or plan satisfies it. `cover` lets the call through as it
 * was sent, if its arguments turn out not to be changed.
 */
export async function withApproval(
  call: Call,
  demand: string | undefined,
  path: ApprovalPath,
  cover?: string,
): Promise<CallEnd> {
  const { next } = path
  // A run undoes only what it did itself with approval. Asking again would leave the effect in place.
  const plan = demand === undefined || call.undoOf === undefined ? undefined : planOf(call)
  if (plan !== undefined) return approvedBy(call, plan, next)
  call.hearGiven()
  const reason = demand ?? natureOf(call)
  if (await isRepeat(call)) return repeated(call, next)
  const user = userOf(call)
  const edited = await useEdited(call, user, path)
  if (edited !== undefined && isEnd(edited)) return edited
  // The same call took them at this moment, or nobody has signed them.
  if (edited === undefined && cover !== undefined) return approvedBy(call, cover, next)
  const used: string[] = edited === undefined ? [] : [edited.id]
  const failed = await rehearsed(call, path)
  if (failed !== undefined) {
    await giveBack(call, used)
    return failed
  }
  const rounds = call.answerRounds
  const allowed = edited !== undefined && rounds.length === 0 ? edited : await allow(call, rounds, reason, path)
  if (isEnd(allowed)) {
    await giveBack(call, used)
    return allowed
  }
  used.push(allowed.id, ...(await earlierApprovals(call, rounds, user)))
  call.note({ approval: allowed.id })
  call.answerGuard = async (answers) => {
    const approval = await allow(call, [...call.answerRounds, answers], reason, path)
    if (isEnd(approval)) throw approval instanceof Outcome ? answersRefused(call, approval) : approval
    used.push(approval.id)
    call.note({ approval: approval.id })
  }
  const ended = await next(call)
  if (ended instanceof AnswersWaiting) call.note({ isWaiting: true })
  // A later gate refused the call, or it comes again with answers: the approved call has not run yet.
  if (!call.started || (comesAgain(ended) && !isUnderWay(call, ended))) await giveBack(call, used)
  // The audit names an approval only if a tool was started under it.
  if (!call.started) call.note({ approval: null })
  return call.started ? tellEdited(call, ended) : ended
}

const isEnd = (value: Approval | CallEnd): value is CallEnd =>
  value instanceof Outcome || value instanceof InputRequired || value instanceof RpcError

/** Uses an approval for the call with these answers. Without one it is requested; the outcome then says that the call waits. */
async function allow(
  call: Call,
  rounds: readonly InputResponses[],
  reason: string,
  path: ApprovalPath,
): Promise<Approval | CallEnd> {
  const { approvals } = call.pipeline.ledger
  const exact = exactCall(call, rounds)
  const user = userOf(call)
  const use = (): Promise<Approval | undefined> => approvals.use(exact, user, shownArgs(call, rounds))
  const used = (await use()) ?? (user === call.id ? undefined : await approvals.usedBy(exact, user))
  if (used !== undefined) return accept(call, used, path)
  const denial = await approvals.lastDenial(exact)
  const askAgain = denial === undefined ? 0 : (denial.decided_at ?? 0) + call.pipeline.approvalSettings.afterDenialMs
  if (denial !== undefined && askAgain > (await approvals.now())) return deniedBefore(denial, askAgain)
  const requested = await requestApproval(call, exact, rounds, reason)
  const wait: Wait = { requested, denial, use, judge: () => judgedAgain(call, path, requested) }
  const decided = call.taskHooks?.onWait === undefined ? await holdOpen(call, wait) : await waitAsTask(call, wait)
  if (decided === undefined) {
    call.note({ isWaiting: true })
    return stillWaiting(requested, rounds.length > 0, denial)
  }
  if (isEnd(decided)) return decided
  const accepted = await accept(call, decided, path)
  if (isEnd(accepted)) return accepted
  // The call may have waited for days.
  const breach = await currentBreach(call)
  if (breach !== undefined) await giveBack(call, [accepted.id])
  return breach ?? accepted
}

/** An approval that was used: with the arguments of the person who changed them, as far as these are allowed and fit. */
async function accept(call: Call, approval: Approval, path: ApprovalPath): Promise<Approval | CallEnd> {
  if (approval.edited_args === null) return approval
  const refused = exchangeArguments(call, approval) ?? (await currentBreach(call)) ?? (await rehearsed(call, path))
  if (refused === undefined) return approval
  await giveBack(call, [approval.id])
  return refused
}

/** By the constitution as it is now: it may have been changed while the call waited. */
export const currentBreach = (call: Call): Promise<CallEnd | undefined> =>
  findBreach(call, articlesFor(call.pipeline.constitution, call.tool))

/** Whether a person has approved this call with other arguments. */
export const isEdited = (call: Call): Promise<boolean> => call.pipeline.ledger.approvals.isEdited(exactCall(call, []))

/** Uses an approval of this call with other arguments, and exchanges them, before anything judges those that were sent. */
async function useEdited(call: Call, user: string, path: ApprovalPath): Promise<Approval | CallEnd | undefined> {
  if (!mayBeEdited(call)) return undefined
  const edited = await call.pipeline.ledger.approvals.use(exactCall(call, []), user, shownArgs(call, []), 'edited')
  return edited === undefined ? undefined : accept(call, edited, path)
}

/** The end of the call if its dry run fails. What it would do may be done already if its tool was started before: by this call, or under its key. */
async function rehearsed(call: Call, { dryRun }: ApprovalPath): Promise<CallEnd | undefined> {
  if (dryRun === undefined || call.undoOf !== undefined || call.started || (await wasStarted(call))) return undefined
  return rehearse(call, dryRun)
}

/**
 * For a call that waited: its tool may have lost its trust or its place in the caller's profile meanwhile, and the call may fail now. Changed
 * arguments are judged once they are known.
 */
async function judgedAgain(call: Call, path: ApprovalPath, { id }: Approval): Promise<CallEnd | undefined> {
  const { tool, principal, pipeline } = call
  if (!pipeline.profiles.covers(principal, tool))
    return refusal('PermissionError', `${tool.name} is no longer in the profile ${principal.profile}. Nothing was run.`)
  const refused = await recheckTrust(call)
  if (refused !== undefined) return refused
  const { edited_args = null } = (await call.pipeline.ledger.approvals.find(id)) ?? {}
  return edited_args === null ? rehearsed(call, path) : undefined
}

async function wasStarted(call: Call): Promise<boolean> {
  const key = call.idempotencyKey
  if (key === undefined) return false
  return call.pipeline.ledger.idempotency.isStarted(idempotencyKeyOf(call, key), sentHashOf(call))
}

/** Approvals of the same call with fewer answers, from before its tool asked: one effect uses them all. */
async function earlierApprovals(call: Call, rounds: readonly InputResponses[], user: string): Promise<string[]> {
  const found: string[] = []
  for (let count = 0; count < rounds.length; count++) {
    const before = rounds.slice(0, count)
    const { approvals } = call.pipeline.ledger
    const earlier = await approvals.use(exactCall(call, before), user, shownArgs(call, before))
    if (earlier !== undefined) found.push(earlier.id)
  }
  return found
}

/** The tool does not get the answers. If they only wait for approval, the call ends as waiting. */
function answersRefused(call: Call, { error }: Outcome): ToolError {
  const { error_type, error_message, error_details } = error as ErrorDetail
  const refused = new ToolError(error_type, error_message, error_details)
  if (isObject(error_details) && error_details.status === 'waiting') {
    call.note({ isWaiting: false })
    call.answersWaiting = refused
  }
  return refused
}

/** The call goes on elsewhere, or may have had an effect before it asked: what comes again is another call. */
const isUnderWay = ({ tool }: Call, ended: CallEnd): boolean =>
  ended instanceof InputRequired
    ? typeof ended.carried?.suspendedId === 'string'
    : tool.origin === 'upstream' && !tool.idempotent

/**
 * For a call that did not run. A step keeps its approvals for its next attempt: another process may be running the step under them
 * at this moment, and once given back they would allow another call.
 */
async function giveBack(call: Call, used: readonly string[]): Promise<void> {
  if (userOf(call) !== call.id) return
  for (const id of used) await call.pipeline.ledger.approvals.giveBack(id, call.id)
}

/** A call that ran with approval may return its recorded result again without another one. */
export async function isRepeat(call: Call): Promise<boolean> {
  // It was undone already: only the recorded outcome is returned again.
  if (call.undone !== undefined && call.undone.outcome !== null) {
    call.note({ repeatOnly: true })
    return true
  }
  const key = call.idempotencyKey
  if (key === undefined) return false
  const repeatOnly = await call.pipeline.ledger.idempotency.isDone(idempotencyKeyOf(call, key), sentHashOf(call))
  if (repeatOnly || call.notes.repeatOnly) call.note({ repeatOnly })
  return repeatOnly
}

/** The recorded result may be that of a call whose arguments were changed. */
export async function repeated(call: Call, next: Step): Promise<CallEnd> {
  const ended = await next(call)
  const { repeatOf } = call.notes
  if (repeatOf === null || !mayBeEdited(call)) return ended
  noteRepeated(call, await call.pipeline.ledger.approvals.usedBy(exactCall(call, []), repeatOf))
  return tellEdited(call, ended)
}
