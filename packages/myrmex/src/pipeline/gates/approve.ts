/**
 * approve: a call that the constitution forbids is refused. A call that changes state, or for which the policy or the
 * constitution demands approval, waits for a person unless a standing grant or the approved plan of its run covers it. The
 * person decides with the CLI or the operator's API, never through the caller's connection. An approval is good for exactly
 * this call, once.
 */
import type { Approval, Approvals, ExactCall } from '../../ledger/decisions/approvals.ts'
import { canonical } from '../../protocol/canonical.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { secretFilter } from '../audit/call-secrets.ts'
import type { Call } from '../call.ts'
import { type Gate, guarded, proceed, type Step } from '../gate.ts'
import { type CallEnd, failure, InputRequired, isPromise, Outcome, refusal } from '../outcome.ts'
import { articleAskingFor, findBreach } from '../rules/article/evaluate.ts'
import { type Article, articlesFor } from '../rules/constitution.ts'
import { evaluatePolicy, hasApprovalRule, type Policy } from '../rules/policy.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { recheckTrust } from './trust.ts'

/** How often a waiting call checks whether another process has decided. */
const POLL_MS = 250

export const approve: Gate = (tool, next, pipeline) => {
  const { policy } = pipeline
  const hasRules = hasApprovalRule(policy, tool.name)
  const articles = articlesFor(pipeline.constitution, tool)
  if (!tool.destructive && !hasRules && articles.length === 0) return next
  const afterCover = (call: Call, cover: Cover): CallEnd | Promise<CallEnd> =>
    cover === undefined
      ? guarded(call, () => withApproval(call, undefined, articles, next))
      : approvedBy(call, cover, next)
  const step: Step = (call) => {
    const verdict = hasRules ? policyVerdict(policy, call) : undefined
    const article = articles.length === 0 ? undefined : articleAskingFor(call, articles)
    const needsApproval = article !== undefined || (verdict === undefined ? tool.destructive : verdict.ask)
    if (!needsApproval) return tool.destructive ? proceed(call, checkArgs, next) : next(call)
    if (article === undefined && verdict === undefined) return proceed(call, coverOf, afterCover)
    const demand =
      article === undefined
        ? `the policy asks: ${verdict?.rule}`
        : `the constitution asks, in the article “${article.name}”: ${article.text}`
    return guarded(call, () => withApproval(call, demand, articles, next))
  }
  if (articles.length === 0) return step
  return (call) => guarded(call, () => underConstitution(call, articles, step, next))
}

/** No approval, grant or plan overrides the constitution. Only a result that is recorded already is returned again. */
async function underConstitution(call: Call, articles: readonly Article[], step: Step, next: Step): Promise<CallEnd> {
  if (await isRepeat(call)) return next(call)
  return (await findBreach(call, articles)) ?? step(call)
}

/** Judges the arguments as sent and as parsed, because the tool gets the parsed ones. Both must be allowed. */
function policyVerdict(policy: Policy, { tool, args, input }: Call): ReturnType<typeof evaluatePolicy> {
  const sent = evaluatePolicy(policy, tool.name, args ?? {})
  if (sent?.ask || input === args) return sent
  const parsed = evaluatePolicy(policy, tool.name, input)
  return parsed === undefined || parsed.ask ? parsed : sent
}

/** No call changes state unless its record can say with which arguments. */
const checkArgs = (call: Call): void => call.checkArgs()

/** The id of the standing grant or the approved plan that covers the call. */
type Cover = string | undefined

function coverOf(call: Call): Cover | Promise<Cover> {
  call.checkArgs()
  const { name, version, hash } = call.tool
  const grant = call.pipeline.ledger.grants.covering({ tool: name, version, hash }, call.principal.id)
  return isPromise(grant) ? grant.then((late) => late ?? planOf(call)) : (grant ?? planOf(call))
}

const planOf = (call: Call): Cover => call.caller.runContext?.covers(call.tool, call.depth)

function approvedBy(call: Call, approval: string, next: Step): CallEnd | Promise<CallEnd> {
  call.note({ approval })
  return next(call)
}

/** `demand` says why the policy or the constitution wants approval; no standing grant or plan satisfies it. */
async function withApproval(
  call: Call,
  demand: string | undefined,
  articles: readonly Article[],
  next: Step,
): Promise<CallEnd> {
  const { approvals } = call.pipeline.ledger
  call.checkArgs()
  // A run undoes only what it did itself with approval. Asking again would leave the effect in place.
  const plan = demand === undefined || call.undoData === undefined ? undefined : planOf(call)
  if (plan !== undefined) return approvedBy(call, plan, next)
  const exact = exactCall(call)
  if (await isRepeat(call)) return next(call)
  const user = userOf(call)
  let used = (await approvals.use(exact, user)) ?? (user === call.id ? undefined : await approvals.usedBy(exact, user))
  if (used === undefined) {
    const nature = call.undoData === undefined ? 'it changes state' : 'it undoes what an earlier call did'
    const requested = await request(call, exact, demand ?? nature)
    if (call.taskHooks?.onWait === undefined) return stillWaiting(call, requested)
    const decided = await decision(call, exact, requested)
    if (decided instanceof Outcome) return decided
    used = decided
    // The call may have waited for days.
    const breach = await findBreach(call, articles)
    if (breach !== undefined) {
      await approvals.giveBack(used.id, user)
      return breach
    }
  }
  call.note({ approval: used.id })
  const ended = await next(call)
  // A later gate refused the call, or it comes again with answers: the approved call has not run yet.
  if (!call.started || ended instanceof InputRequired) await approvals.giveBack(used.id, user)
  // The audit names an approval only if a tool was started under it.
  if (!call.started) call.note({ approval: null })
  return ended
}

/** A step of a run is approved as such: a retry, or another process that takes the run over, needs no second approval. */
const userOf = ({ id, depth, caller: { runContext } }: Call): string =>
  runContext !== undefined && depth === 0 ? runContext.key : id

/** A call that ran with approval may return its recorded result again without another one. */
async function isRepeat(call: Call): Promise<boolean> {
  const key = call.idempotencyKey
  if (key === undefined) return false
  const repeatOnly = await call.pipeline.ledger.idempotency.isDone(idempotencyKeyOf(call, key), call.argsHash)
  if (repeatOnly || call.notes.repeatOnly) call.note({ repeatOnly })
  return repeatOnly
}

/** Requests being written: the same call twice at once makes one approval request. */
const pendingRequests = new WeakMap<Approvals, Map<string, Promise<Approval>>>()

function request(call: Call, exact: ExactCall, reason: string): Promise<Approval> {
  const { approvals } = call.pipeline.ledger
  const shown = secretFilter(call).value(call.shownArguments ?? {})
  const pending = getOrMake(pendingRequests, approvals, () => new Map())
  return getOrMake(pending, canonical(exact), (name) =>
    approvals.request(exact, canonical(shown), reason).finally(() => pending.delete(name)),
  )
}

function exactCall(call: Call): ExactCall {
  const { name, version, hash } = call.tool
  return { tool: name, version, hash, args_hash: call.argsHash, principal: call.principal.id }
}

/** Waits, as a task, until a person has decided, the request has expired, or the call is interrupted. */
async function decision(call: Call, exact: ExactCall, requested: Approval): Promise<Approval | Outcome> {
  const { approvals } = call.pipeline.ledger
  await call.taskHooks?.onWait?.(`Waiting for a human: approval ${requested.id} (${requested.reason}).`)
  for (;;) {
    const now = await approvals.find(requested.id)
    if (now === undefined || now.status === 'expired') return refused(requested, 'has expired')
    if (now.status === 'denied')
      return refused(now, `was denied by ${now.decided_by}${now.note ? `: ${now.note}` : ''}`)
    if (now.status === 'used') return refused(now, 'was used by another call')
    const distrusted = now.status === 'approved' ? await recheckTrust(call) : undefined
    if (call.interrupted !== undefined) {
      return failure({ error_type: call.interrupted.error_type, error_message: call.interrupted.message })
    }
    if (distrusted !== undefined) return distrusted
    if (now.status === 'approved') {
      await call.taskHooks?.onWait?.(undefined)
      return (await approvals.use(exact, call.id)) ?? refused(now, 'was used by another call')
    }
    await nextPoll(call)
  }
}

/** Resolves when somebody decides in this process, the call is interrupted, or it is time to check again. */
function nextPoll(call: Call): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      forget()
      call.onInterrupt = undefined
      resolve()
    }
    const timer = setTimeout(done, POLL_MS)
    const forget = call.pipeline.ledger.approvals.onDecision(done)
    call.onInterrupt = done
  })
}

/** The caller cannot wait: the error asks it to send the call again later, and the audit counts no failure. */
function stillWaiting(call: Call, { id, tool, reason, expires_at }: Approval): Outcome {
  call.note({ isWaiting: true })
  return refusal(
    'PermissionError',
    `${tool} needs a human's approval: ${reason.replace(/\.$/, '')}. It waits as approval ${id}. Once the operator has run ` +
      `\`myrmex approvals approve ${id}\`, send the same call again: the same arguments, as the same principal.`,
    { approval: id, status: 'waiting', expires_at: new Date(expires_at).toISOString() },
  )
}

const refused = ({ id, tool }: Approval, why: string): Outcome =>
  refusal('PermissionError', `${tool} was not run: approval ${id} ${why}.`, { approval: id })
