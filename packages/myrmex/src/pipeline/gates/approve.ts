/**
 * approve: a call that the constitution forbids is refused. A call that changes state, or for which the policy or the
 * constitution demands approval, waits for a person unless a standing grant or the approved plan of its run covers it. The
 * person decides with the CLI or the operator's API, never through the caller's connection. An approval is good for exactly
 * this call, once: for its arguments and for the answers of its client. Answers that arrive while the tool runs reach it only
 * after the call was approved with them. If the tool has a dry run, it runs first: a call that would fail is not put before a person,
 * and uses no approval up.
 */
import { ToolError } from '../../protocol/errors.ts'
import { issueTexts } from '../../protocol/issue.ts'
import { couldMean } from '../../tool/possible-resources.ts'
import type { Call } from '../call.ts'
import { compose } from '../compose.ts'
import { type Gate, guarded, proceed, type Step } from '../gate.ts'
import { type CallEnd, refusal } from '../outcome.ts'
import { rehearse } from '../rehearsal.ts'
import { articleAskingFor, findBreach } from '../rules/article/evaluate.ts'
import { type Article, articlesFor } from '../rules/constitution.ts'
import { articleDemand, policyDemand } from '../rules/demand.ts'
import { hasApprovalRule, policyVerdict } from '../rules/policy.ts'
import {
  type ApprovalPath,
  approvedBy,
  currentBreach,
  isEdited,
  isRepeat,
  repeated,
  withApproval,
} from './approve/ask-person.ts'
import { type Cover, coverOf } from './approve/cover.ts'
import { mayBeEdited } from './approve/exact-call.ts'
import { check } from './check.ts'
import { deadline } from './deadline.ts'
import { runDry } from './dry-run.ts'
import { parseArguments } from './validate.ts'

export const approve: Gate = (tool, next, pipeline) => {
  const { policy } = pipeline
  const hasRules = hasApprovalRule(policy, tool, (pattern) => couldMean(tool, pattern))
  const articles = articlesFor(pipeline.constitution, tool)
  if (!tool.destructive && tool.undo === undefined && !hasRules && articles.length === 0) return next
  const dryRun = tool.dryRun === undefined ? undefined : compose(REHEARSAL_GATES, tool, pipeline)
  const path: ApprovalPath = { next, dryRun }
  // Rules judge the arguments that the person sees and the tool gets. Over the wire only -0 makes a difference.
  const orAgain = (call: Call, demand: string | undefined, cover?: string): CallEnd | Promise<CallEnd> =>
    guarded(call, async () => (call.useCanonicalArguments() ? whole(call) : withApproval(call, demand, path, cover)))
  // What a person changed about this very call comes before what is allowed about all of them.
  const orEdited = (call: Call, cover: string): CallEnd | Promise<CallEnd> =>
    guarded(call, async () =>
      (await isEdited(call)) ? orAgain(call, undefined, cover) : approvedBy(call, cover, next),
    )
  const afterCover = (call: Call, cover: Cover): CallEnd | Promise<CallEnd> => {
    if (cover === undefined) return orAgain(call, undefined)
    const isAsked = mayBeEdited(call) && pipeline.ledger.approvals.mayBeEdited(tool.name)
    return isAsked ? orEdited(call, cover) : approvedBy(call, cover, next)
  }
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

/** Why a call with arguments that a person is about to approve would be refused. It does not run. */
export async function judgeBeforeApproval(call: Call): Promise<CallEnd | undefined> {
  const { tool, pipeline } = call
  const parsed = parseArguments(tool, call.args, undefined)
  if (parsed instanceof ToolError || !parsed.success)
    return refusal('SchemaError', parsed instanceof ToolError ? parsed.message : issueTexts(parsed.issues))
  call.useArguments(call.args, parsed.data)
  const breach = await currentBreach(call)
  if (breach !== undefined || tool.dryRun === undefined) return breach
  return rehearse(call, compose(REHEARSAL_GATES, tool, pipeline))
}

/** No approval, grant or plan overrides the constitution. Only a result that is recorded already is returned again. */
async function underConstitution(call: Call, articles: readonly Article[], step: Step, next: Step): Promise<CallEnd> {
  if (await isRepeat(call)) return repeated(call, next)
  return (await findBreach(call, articles)) ?? step(call)
}

/** No call changes state unless its record can say with which arguments. */
const checkArgs = (call: Call): void => call.checkArgs()
