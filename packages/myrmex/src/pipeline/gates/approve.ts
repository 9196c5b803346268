/**
 * approve: a call that the constitution forbids is refused. A call that changes state, or for which the policy or the
 * constitution demands approval, waits for a person unless a standing grant or the approved plan of its run covers it. The
 * person decides with the CLI or the operator's API, never through the caller's connection. An approval is good for exactly
 * this call, once: for its arguments and for the answers of its client. Answers that arrive while the tool runs reach it only
 * after the call was approved with them. If the tool has a dry run, it runs first: a call that would fail is not put before a person,
 * and uses no approval up.
 */
import type { Approval, Approvals, ExactCall } from '../../ledger/decisions/approvals.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { InputResponses } from '../../protocol/content.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { RpcError, ToolError, toErrorDetail } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { HANDED_OVER } from '../../protocol/hand-over.ts'
import { isObject } from '../../protocol/json.ts'
import { redact } from '../../protocol/secret.ts'
import { couldMean } from '../../tool/possible-resources.ts'
import { secretFields, secretFilter } from '../audit/call-secrets.ts'
import type { Call } from '../call.ts'
import { compose } from '../compose.ts'
import { type Gate, guarded, proceed, type Step } from '../gate.ts'
import { isHandedOver } from '../handed-over.ts'
import {
  AnswersWaiting,
  type CallEnd,
  comesAgain,
  failure,
  InputRequired,
  isPromise,
  Outcome,
  refusal,
} from '../outcome.ts'
import { rehearse } from '../rehearsal.ts'
import { articleAskingFor, findBreach } from '../rules/article/evaluate.ts'
import { type Article, articlesFor } from '../rules/constitution.ts'
import { articleDemand, policyDemand } from '../rules/demand.ts'
import { hasApprovalRule, policyVerdict } from '../rules/policy.ts'
import type { WaitsFor } from '../task-hooks.ts'
import { check } from './check.ts'
import { deadline } from './deadline.ts'
import { runDry } from './dry-run.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { recheckTrust } from './trust.ts'

/** How often a waiting call checks whether another process has decided. */
const POLL_MS = 250

export const approve: Gate = (tool, next, pipeline) => {
  const { policy } = pipeline
  const hasRules = hasApprovalRule(policy, tool, (pattern) => couldMean(tool, pattern))
  const articles = articlesFor(pipeline.constitution, tool)
  if (!tool.destructive && tool.undo === undefined && !hasRules && articles.length === 0) return next
  const dryRun = tool.dryRun === undefined ? undefined : compose(REHEARSAL_GATES, tool, pipeline)
  const waiting: Waiting = { articles, next, dryRun }
  // Rules judge the arguments that the person sees and the tool gets. Over the wire only -0 makes a difference.
  const orAgain = (call: Call, demand: string | undefined): CallEnd | Promise<CallEnd> =>
    guarded(call, async () => (call.useCanonicalArguments() ? whole(call) : withApproval(call, demand, waiting)))
  const afterCover = (call: Call, cover: Cover): CallEnd | Promise<CallEnd> =>
    cover === undefined ? orAgain(call, undefined) : approvedBy(call, cover, next)
  const step: Step = (call) => {
    const verdict = hasRules ? policyVerdict(policy, call) : undefined
    const article = articles.length === 0 ? undefined : articleAskingFor(call, articles)
    const needsApproval = article !== undefined || (verdict === undefined ? call.changesState : verdict.ask)
    if (!needsApproval) return call.changesState ? proceed(call, checkArgs, next) : next(call)
    if (article === undefined && verdict === undefined) return proceed(call, coverOf, afterCover)
    return orAgain(call, article === undefined ? policyDemand(String(verdict?.rule)) : articleDemand(article))
  }
  const whole: Step =
    articles.length === 0 ? step : (call) => guarded(call, () => underConstitution(call, articles, step, next))
  return whole
}

/** The call has passed the others. */
const REHEARSAL_GATES: readonly Gate[] = [deadline, check, runDry]

/** What a call of a tool meets when it needs approval. */
interface Waiting {
  readonly articles: readonly Article[]
  readonly next: Step
  /** runs the tool's dry run, if it has one */
  readonly dryRun: Step | undefined
}

/** No approval, grant or plan overrides the constitution. Only a result that is recorded already is returned again. */
async function underConstitution(call: Call, articles: readonly Article[], step: Step, next: Step): Promise<CallEnd> {
  if (await isRepeat(call)) return next(call)
  return (await findBreach(call, articles)) ?? step(call)
}

/** No call changes state unless its record can say with which arguments. */
const checkArgs = (call: Call): void => call.checkArgs()

/** The id of the standing grant or the approved plan that covers the call. */
type Cover = string | undefined

function coverOf(call: Call): Cover | Promise<Cover> {
  call.checkArgs()
  const { name, version, hash } = call.tool
  const grant = call.pipeline.ledger.grants.covering({ tool: name, version, hash }, call.principal.id)
  return isPromise(grant) ? grant.then((late) => late ?? followedCover(call)) : (grant ?? followedCover(call))
}

/** The grants of the decided definition also cover one that the host proved to mean the same. A revoked one covers neither. */
function followedCover(call: Call): Cover | Promise<Cover> {
  const { trust, grants } = call.pipeline.ledger
  const followed = trust.followedDefinition(call.tool)
  if (followed === undefined) return planOf(call)
  if (isPromise(followed)) {
    return followed.then(async (late) => (late && (await grants.covering(late, call.principal.id))) ?? planOf(call))
  }
  const grant = grants.covering(followed, call.principal.id)
  return isPromise(grant) ? grant.then((late) => late ?? planOf(call)) : (grant ?? planOf(call))
}

function planOf(call: Call): Cover {
  // Its arguments and answers were approved there.
  if (isHandedOver(call)) return HANDED_OVER
  const plan = call.caller.runContext?.covers(call)
  // The person who approved the plan saw no answers.
  if (plan === undefined) return undefined
  call.useCanonicalArguments()
  call.answerGuard = () => Promise.reject(ToolError.of('PermissionError', UNSEEN_ANSWERS))
  return plan
}
const UNSEEN_ANSWERS = 'The approval of a plan covers no answers of a client.'

function approvedBy(call: Call, approval: string, next: Step): CallEnd | Promise<CallEnd> {
  call.note({ approval })
  return next(call)
}

/** `demand` says why the policy or the constitution wants approval; no standing grant or plan satisfies it. */
async function withApproval(call: Call, demand: string | undefined, waiting: Waiting): Promise<CallEnd> {
  const { next } = waiting
  // A run undoes only what it did itself with approval. Asking again would leave the effect in place.
  const plan = demand === undefined || call.undoOf === undefined ? undefined : planOf(call)
  if (plan !== undefined) return approvedBy(call, plan, next)
  call.hearGiven()
  const reason = demand ?? natureOf(call)
  if (await isRepeat(call)) return next(call)
  const failed = await rehearsed(call, waiting)
  if (failed !== undefined) return failed
  const user = userOf(call)
  const used: string[] = []
  const allowed = await allow(call, call.answerRounds, reason, waiting)
  if (isEnd(allowed)) return allowed
  used.push(allowed.id, ...(await earlierApprovals(call, call.answerRounds, user)))
  call.note({ approval: allowed.id })
  call.answerGuard = async (answers) => {
    const approval = await allow(call, [...call.answerRounds, answers], reason, waiting)
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
  return ended
}

/** Uses an approval for the call with these answers. Without one it is requested; the outcome then says that the call waits. */
async function allow(
  call: Call,
  rounds: readonly InputResponses[],
  reason: string,
  waiting: Waiting,
): Promise<Approval | CallEnd> {
  const { approvals } = call.pipeline.ledger
  const exact = exactCall(call, rounds)
  const user = userOf(call)
  const used =
    (await approvals.use(exact, user, shownArgs(call, rounds))) ??
    (user === call.id ? undefined : await approvals.usedBy(exact, user))
  if (used !== undefined) return used
  const requested = await request(call, exact, rounds, reason)
  if (call.taskHooks?.onWait === undefined)
    return stillWaiting(call, requested, rounds.length > 0, await approvals.lastDenial(exact))
  const decided = await decision(call, exact, rounds, requested, waiting)
  if (isEnd(decided)) return decided
  // The call may have waited for days.
  const breach = await findBreach(call, waiting.articles)
  if (breach !== undefined) await giveBack(call, [decided.id])
  return breach ?? decided
}

const isEnd = (value: Approval | CallEnd): value is CallEnd =>
  value instanceof Outcome || value instanceof InputRequired || value instanceof RpcError

/** The end of the call if its dry run fails. What it would do may be done already if its tool was started before: by this call, or under its key. */
async function rehearsed(call: Call, { dryRun }: Waiting): Promise<CallEnd | undefined> {
  if (dryRun === undefined || call.undoOf !== undefined || call.started || (await wasStarted(call))) return undefined
  return rehearse(call, dryRun)
}

/** For a call that waited: its tool may have lost its trust meanwhile, and the call may fail now. */
const judgedAgain = async (call: Call, waiting: Waiting): Promise<CallEnd | undefined> =>
  (await recheckTrust(call)) ?? rehearsed(call, waiting)

async function wasStarted(call: Call): Promise<boolean> {
  const key = call.idempotencyKey
  if (key === undefined) return false
  return call.pipeline.ledger.idempotency.isStarted(idempotencyKeyOf(call, key), call.argsHash)
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

function natureOf({ undoOf, depth, caller: { runContext } }: Call): string {
  if (undoOf !== undefined) return 'it undoes what an earlier call did'
  if (runContext === undefined) return 'it changes state'
  const { run, step } = runContext
  return depth === 0
    ? `it changes state, and the approved plan of run ${run} does not have it with these arguments`
    : `it changes state, and step ${step} of run ${run} calls it in turn, which the approved plan does not show`
}

/** A step of a run is approved as such: a retry, or another process that takes the run over, needs no second approval. */
const userOf = ({ id, depth, caller: { runContext } }: Call): string =>
  runContext !== undefined && depth === 0 ? runContext.key : id

/**
 * For a call that did not run. A step keeps its approvals for its next attempt: another process may be running the step under them
 * at this moment, and once given back they would allow another call.
 */
async function giveBack(call: Call, used: readonly string[]): Promise<void> {
  if (userOf(call) !== call.id) return
  for (const id of used) await call.pipeline.ledger.approvals.giveBack(id, call.id)
}

/** A call that ran with approval may return its recorded result again without another one. */
async function isRepeat(call: Call): Promise<boolean> {
  // It was undone already: only the recorded outcome is returned again.
  if (call.undone !== undefined && call.undone.outcome !== null) {
    call.note({ repeatOnly: true })
    return true
  }
  const key = call.idempotencyKey
  if (key === undefined) return false
  const repeatOnly = await call.pipeline.ledger.idempotency.isDone(idempotencyKeyOf(call, key), call.argsHash)
  if (repeatOnly || call.notes.repeatOnly) call.note({ repeatOnly })
  return repeatOnly
}

/** Requests being written: the same call twice at once makes one approval request. */
const pendingRequests = new WeakMap<Approvals, Map<string, Promise<Approval>>>()

function request(call: Call, exact: ExactCall, rounds: readonly InputResponses[], reason: string): Promise<Approval> {
  const { approvals } = call.pipeline.ledger
  const pending = getOrMake(pendingRequests, approvals, () => new Map())
  return getOrMake(pending, canonical(exact), (name) =>
    approvals
      .request(exact, shownArgs(call, rounds), reason, undefined, call.caller.recordedClient)
      .finally(() => pending.delete(name)),
  )
}

/**
 * What a person reads about the arguments and answers: canonical JSON without secrets. Throws if a secret hides more than its own field: the
 * caller chooses the secret, and could hide an account or an amount with it.
 */
function shownArgs(call: Call, rounds: readonly InputResponses[]): string {
  const all = rounds.length === 0 ? (call.shownArguments ?? {}) : call.shownWith(rounds)
  const clean = secretFilter(call, undefined, rounds).value(all)
  const shown = canonical(clean)
  // The arguments of an undo were sent with the call that it undoes.
  if (clean !== all && call.undoOf === undefined && shown !== canonical(redact(all, secretFields(call.tool)))) {
    const why = `The arguments of ${call.tool.name} repeat a secret outside its own field, so that nobody could see what they approve.`
    throw ToolError.of('ValidationError', `${why} Send the secret in its field only.`)
  }
  return shown
}

function exactCall(call: Call, rounds: readonly InputResponses[]): ExactCall {
  const { name, version, hash } = call.tool
  return { tool: name, version, hash, args_hash: call.exactHash(rounds), principal: call.principal.id }
}

/** Waits, as a task, until a person has decided, the request has expired, or the call is interrupted. */
async function decision(
  call: Call,
  exact: ExactCall,
  rounds: readonly InputResponses[],
  requested: Approval,
  waiting: Waiting,
): Promise<Approval | CallEnd> {
  const { approvals } = call.pipeline.ledger
  const denial = await approvals.lastDenial(exact)
  await call.taskHooks?.onWait?.(waitsFor(requested, denial))
  for (;;) {
    const now = await approvals.find(requested.id)
    if (now === undefined || now.status === 'expired') return refused(requested, 'has expired')
    if (now.status === 'denied')
      return refused(now, `was denied by ${now.decided_by}${now.note ? `: ${now.note}` : ''}`)
    if (now.status === 'used') return refused(now, 'was used by another call')
    const refusedNow = now.status === 'approved' ? await judgedAgain(call, waiting) : undefined
    if (call.interrupted !== undefined) {
      return failure(toErrorDetail(call.interrupted, call.id))
    }
    if (refusedNow !== undefined) return refusedNow
    if (now.status === 'approved') {
      await call.taskHooks?.onWait?.(undefined)
      return (
        (await approvals.use(exact, userOf(call), shownArgs(call, rounds))) ?? refused(now, 'was used by another call')
      )
    }
    await nextPoll(call)
  }
}

const waitsFor = ({ id, reason }: Approval, denial: Approval | undefined): WaitsFor => ({
  approval: id,
  reason,
  ...(denial !== undefined && { denied: denial.id }),
})

/** Resolves when somebody decides in this process, the call is interrupted, or it is time to check again. */
function nextPoll(call: Call): Promise<void> {
  return new Promise((resolve) => {
    // The deadline of a tool that waits for its answers listens too.
    const outer = call.onInterrupt
    const done = (): void => {
      clearTimeout(timer)
      forget()
      call.onInterrupt = outer
      resolve()
    }
    const timer = setTimeout(done, POLL_MS)
    const forget = call.pipeline.ledger.approvals.onDecision(done)
    call.onInterrupt = (why) => {
      done()
      outer?.(why)
    }
  })
}

/**
 * The caller cannot wait: the error asks it to send the call again later, and the audit counts no failure. A caller that was not there
 * when the same call was denied hears it now.
 */
function stillWaiting(
  call: Call,
  { id, tool, reason, expires_at }: Approval,
  hasAnswers: boolean,
  denial: Approval | undefined,
): Outcome {
  call.note({ isWaiting: true })
  const before = denial === undefined ? '' : ` The same call ${denialText(denial)} before, as approval ${denial.id}.`
  return refusal(
    'PermissionError',
    `${tool} needs a human's approval: ${reason.replace(/\.$/, '')}.${before} It waits as approval ${id}. Once the operator has run ` +
      `\`npx myrmex approvals approve ${id}\`, send the same call again: the same arguments${hasAnswers ? ', the same answers' : ''}, as the same principal.`,
    {
      approval: id,
      status: 'waiting',
      expires_at: new Date(expires_at).toISOString(),
      ...(denial !== undefined && { denied: { approval: denial.id, note: denial.note } }),
    },
  )
}

const denialText = ({ decided_by, note }: Approval): string =>
  `was denied by ${decided_by}${note ? ` (“${note}”)` : ''}`

const refused = ({ id, tool }: Approval, why: string): Outcome =>
  refusal('PermissionError', `${tool} was not run: approval ${id} ${why}.`, { approval: id })
