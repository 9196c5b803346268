/**
 * The gates that a dry run has in the place of others. Dry runs have a chain of their own, so that other calls pay nothing for them:
 *
 * - `sayDryRun` encloses it: the explanation says that it was a dry run and, unless it failed, that nothing was changed.
 * - `admitDryRun` refuses what has no dry run, and what no rule of the operator lets pass without a person.
 * - `runDry` is the last one: the tool's `dryRun` runs, never its `run`.
 *
 * There is no approval, budget, breaker, idempotency, quota or undo: they are about effects.
 */
import { withFullStop } from '../../protocol/text.ts'
import { META } from '../../protocol/versions.ts'
import { couldMean } from '../../tool/possible-resources.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, guarded, proceed, type Step } from '../gate.ts'
import { type CallEnd, Outcome, refusal } from '../outcome.ts'
import { articleAskingFor, findBreach } from '../rules/article/evaluate.ts'
import { articlesFor } from '../rules/constitution.ts'
import { hasApprovalRule, policyVerdict } from '../rules/policy.ts'
import { running } from './run.ts'

const NOTHING_CHANGED = 'This was a dry run: nothing was changed.'
/** An upstream may have run the tool instead. */
const ASKED_FOR = 'A dry run was asked for.'

export const sayDryRun: Gate = (_tool, next) => (call) => proceed(call, next, said, rethrow)

const said = (_call: Call, ended: CallEnd): CallEnd =>
  ended instanceof Outcome ? explained(ended, ended.status === 'failure' ? ASKED_FOR : NOTHING_CHANGED) : ended

const rethrow = (_call: Call, thrown: unknown): never => {
  throw thrown
}

/** The same outcome with a sentence before its explanation. */
export function explained(outcome: Outcome, sentence: string): Outcome {
  const { status, data, error, explanation, content, forwarded } = outcome
  const Kind = outcome.constructor as typeof Outcome
  const all = explanation === null ? sentence : `${sentence} ${withFullStop(explanation)}`
  return new Kind(status, data, error, all, content, forwarded)
}

export const admitDryRun: Gate = (tool, next, pipeline) => {
  const { policy } = pipeline
  const articles = articlesFor(pipeline.constitution, tool)
  // Of a tool that only reads, a dry run may show what a person was to decide about.
  const isShown = !tool.destructive && hasApprovalRule(policy, tool, (pattern) => couldMean(tool, pattern))
  const asks = (call: Call): boolean =>
    !tool.destructive &&
    (articleAskingFor(call, articles) !== undefined || (isShown && policyVerdict(policy, call)?.ask === true))
  const judge: Step =
    articles.length === 0 && !isShown
      ? next
      : (call) =>
          guarded(call, async () => (await findBreach(call, articles)) ?? (asks(call) ? unseen(tool) : next(call)))
  return (call) => why(call) ?? judge(call)
}

/** Why the call cannot be a dry run. */
function why({ tool, meta, undoOf, depth }: Call): Outcome | undefined {
  const { name, version } = tool
  if (meta[META.dryRun] !== true)
    return refusal('ValidationError', `_meta["${META.dryRun}"] must be true, or absent to run ${name}.`)
  if (undoOf !== undefined)
    return refusal(
      'ValidationError',
      `An undo has no dry run. Leave out _meta["${META.dryRun}"] or _meta["${META.undo}"].`,
    )
  if (tool.dryRun !== undefined || isReadInTurn(tool, depth)) return undefined
  const instead = tool.destructive
    ? 'It was not run.'
    : 'It changes nothing, so it can be called without asking for a dry run. It was not run.'
  return refusal('ValidationError', `${name} ${version} has no dry run. ${instead}`, { tool: name, version })
}

/** A dry run may call tools that change nothing. Their own calls are part of the same dry run. */
const isReadInTurn = ({ destructive }: Tool, depth: number): boolean => depth > 0 && !destructive

const unseen = ({ name }: Tool): Outcome =>
  refusal(
    'PermissionError',
    `${name} only reads, and the operator wants calls of it approved. A dry run could show what it reads, so there is none.`,
    { tool: name },
  )

export const runDry: Gate = (tool) => running(tool, tool.dryRun ?? tool.run)
