/**
 * approve: what the constitution forbids is refused. A call that changes state, or that the policy or the constitution wants to
 * be asked about, waits for a human unless a standing grant or the approved plan of its run covers it. The human answers in the CLI or the console, never through the caller's connection; a yes is good for
 * exactly this call, once.
 */
import type { Approval, Approvals, ExactCall } from '../../ledger/decisions/approvals.ts'
import { canonical } from '../../protocol/canonical.ts'
import { redact, scrub } from '../../protocol/secret.ts'
import { secretsOf } from '../audit/call-secrets.ts'
import type { Call } from '../call.ts'
import type { Gate, Step } from '../gate.ts'
import { type CallEnd, failure, fromThrown, InputRequired, isPromise, Outcome } from '../outcome.ts'
import { articleAskingFor, findBreach } from '../rules/article/evaluate.ts'
import { type Article, articlesFor } from '../rules/constitution.ts'
import { evaluatePolicy, hasApprovalRule, type Policy } from '../rules/policy.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { recheckTrust } from './trust.ts'

/** How often a waiting call looks whether another process has decided. */
const LOOK_EVERY_MS = 250

export const approve: Gate = (tool, next, pipeline) => {
  const { policy } = pipeline
  const hasRules = hasApprovalRule(policy, tool.name)
  const articles = articlesFor(pipeline.constitution, tool)
  if (!tool.destructive && !hasRules && articles.length === 0) return next
  const asked: Step = (call) => {
    const verdict = hasRules ? judged(policy, call) : undefined
    const article = articles.length === 0 ? undefined : articleAskingFor(call, articles)
    const asks = article !== undefined || (verdict === undefined ? tool.destructive : verdict.ask)
    if (!asks) return next(call)
    const demand =
      article === undefined
        ? verdict && `the policy asks: ${verdict.rule}`
        : `the constitution asks, in the article “${article.name}”: ${article.text}`
    let covered: Covered | Promise<Covered>
    try {
      // Whatever lets it through lets through what was sent, and not what JSON would make of it.
      call.checkArgs()
      covered = demand === undefined ? coverOf(call) : undefined
    } catch (thrown) {
      return fromThrown(thrown, call.id)
    }
    // Nearly every call of a tool that somebody trusts: it waits for nothing.
    if (typeof covered === 'string') return granted(call, covered, next)
    return decided(call, demand, covered, articles, next).catch((thrown) => fromThrown(thrown, call.id))
  }
  if (articles.length === 0) return asked
  return (call) => allowed(call, articles, asked, next).catch((thrown) => fromThrown(thrown, call.id))
}

/** No approval, grant or plan stands above the constitution. Only what has happened already is told again. */
async function allowed(call: Call, articles: readonly Article[], asked: Step, next: Step): Promise<CallEnd> {
  if (await isRepeat(call)) return next(call)
  return (await findBreach(call, articles)) ?? asked(call)
}

/** By what was sent, and by what the schema made of it: that is what the tool will get. */
function judged(policy: Policy, { tool, args, input }: Call): ReturnType<typeof evaluatePolicy> {
  const sent = evaluatePolicy(policy, tool.name, args ?? {})
  if (sent?.ask || input === args) return sent
  const made = evaluatePolicy(policy, tool.name, input)
  // Allowed is only what is allowed both ways.
  return made === undefined || made.ask ? made : sent
}

/** The standing grant or the approved plan under which it may run, by its id. */
type Covered = string | undefined

function coverOf(call: Call): Covered | Promise<Covered> {
  const { name, version, hash } = call.tool
  const grant = call.pipeline.ledger.grants.covering({ tool: name, version, hash }, call.principal.id)
  return isPromise(grant) ? grant.then((late) => late ?? planOf(call)) : (grant ?? planOf(call))
}

const planOf = (call: Call): Covered => call.caller.runContext?.covers(call.tool, call.depth)

function granted(call: Call, by: string, next: Step): CallEnd | Promise<CallEnd> {
  call.approval = by
  return next(call)
}

/** `demand` is the policy's or the constitution's, and no standing grant or plan stands above it. */
async function decided(
  call: Call,
  demand: string | undefined,
  covered: Covered | Promise<Covered>,
  articles: readonly Article[],
  next: Step,
): Promise<CallEnd> {
  const { approvals } = call.pipeline.ledger
  // A run takes back only what it did itself, and that was allowed: to ask again would leave it standing.
  const standing = demand === undefined ? await covered : takenBack(call)
  if (standing !== undefined) return granted(call, standing, next)
  const exact = exactly(call)
  if (await isRepeat(call)) return next(call)
  const user = userOf(call)
  let used = (await approvals.use(exact, user)) ?? (user === call.id ? undefined : await approvals.usedBy(exact, user))
  if (used === undefined) {
    const nature = call.undoData === undefined ? 'it changes state' : 'it undoes what an earlier call did'
    const asked = await request(call, exact, demand ?? nature)
    if (call.onWait === undefined) return waiting(asked)
    const answer = await answered(call, exact, asked)
    if (answer instanceof Outcome) return answer
    used = answer
    // It may have waited for days.
    const breach = await findBreach(call, articles)
    if (breach !== undefined) {
      await approvals.giveBack(used.id, user)
      return breach
    }
  }
  call.approval = used.id
  const ended = await next(call)
  // It was turned away further in, or will come again with the answers: what was approved has not happened yet.
  if (!call.started || ended instanceof InputRequired) await approvals.giveBack(used.id, user)
  // The audit names an approval where a tool was begun by it, and nowhere else.
  if (!call.started) call.approval = null
  return ended
}

const takenBack = (call: Call): Covered => (call.undoData === undefined ? undefined : planOf(call))

/** A step of a run is approved as such: whoever tries it again, or takes the run over, needs no second yes for it. */
const userOf = ({ id, depth, caller: { runContext } }: Call): string =>
  runContext !== undefined && depth === 0 ? runContext.key : id

/** A call that has run, and was approved for it, needs no second yes to be told again what came of it. */
async function isRepeat(call: Call): Promise<boolean> {
  const key = call.idempotencyKey
  if (key === undefined) return false
  call.repeatsOnly = await call.pipeline.ledger.idempotency.isDone(idempotencyKeyOf(call, key), call.argsHash)
  return call.repeatsOnly
}

/** Requests on their way into the ledger: the same call twice at once is one question to the human. */
const asking = new WeakMap<Approvals, Map<string, Promise<Approval>>>()

function request(call: Call, exact: ExactCall, reason: string): Promise<Approval> {
  const { approvals } = call.pipeline.ledger
  const { secrets, texts } = secretsOf(call)
  const shown = scrub(redact(call.shownArguments ?? {}, secrets), texts)
  const open = asking.get(approvals) ?? new Map<string, Promise<Approval>>()
  asking.set(approvals, open)
  const name = canonical(exact)
  let asked = open.get(name)
  if (asked === undefined) {
    asked = approvals.request(exact, canonical(shown), reason).finally(() => open.delete(name))
    open.set(name, asked)
  }
  return asked
}

function exactly(call: Call): ExactCall {
  const { name, version, hash } = call.tool
  return { tool: name, version, hash, args_hash: call.argsHash, principal: call.principal.id }
}

/** Waits, as a task, until somebody has decided, the request has lapsed, or the caller has had enough. */
async function answered(call: Call, exact: ExactCall, asked: Approval): Promise<Approval | Outcome> {
  const { approvals } = call.pipeline.ledger
  await call.onWait?.(`Waiting for a human: approval ${asked.id} (${asked.reason}).`)
  for (;;) {
    const now = await approvals.find(asked.id)
    if (now === undefined || now.status === 'expired') return refused(asked, 'has expired')
    if (now.status === 'denied')
      return refused(now, `was denied by ${now.decided_by}${now.note ? `: ${now.note}` : ''}`)
    if (now.status === 'used') return refused(now, 'was used by another call')
    const distrusted = now.status === 'approved' ? await recheckTrust(call) : undefined
    if (call.interrupted !== undefined) {
      return failure({ error_type: call.interrupted.error_type, error_message: call.interrupted.message })
    }
    if (distrusted !== undefined) return distrusted
    if (now.status === 'approved') {
      await call.onWait?.(undefined)
      return (await approvals.use(exact, call.id)) ?? refused(now, 'was used by another call')
    }
    await nextLook(call)
  }
}

/** Until somebody in this process decides, the call is stopped, or it is time to look again. */
function nextLook(call: Call): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      forget()
      call.onInterrupt = undefined
      resolve()
    }
    const timer = setTimeout(done, LOOK_EVERY_MS)
    const forget = call.pipeline.ledger.approvals.onDecision(done)
    call.onInterrupt = done
  })
}

const waiting = ({ id, tool, reason, expires_at }: Approval): Outcome =>
  failure({
    error_type: 'PermissionError',
    error_message:
      `${tool} needs a human's approval: ${reason.replace(/\.$/, '')}. It waits as approval ${id}. Once the operator has run ` +
      `\`myrmex approvals approve ${id}\`, send the same call again: the same arguments, as the same principal.`,
    error_details: { approval: id, status: 'waiting', expires_at: new Date(expires_at).toISOString() },
  })

const refused = ({ id, tool }: Approval, why: string): Outcome =>
  failure({
    error_type: 'PermissionError',
    error_message: `${tool} was not run: approval ${id} ${why}.`,
    error_details: { approval: id },
  })
