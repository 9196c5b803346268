/**
 * `myrmex trust|verify|untrust` for several tools: shows them on one screen, asks once, and decides about exactly the definitions that were
 * shown. Without a person at the screen (`--yes`), tools with a warning of the scanner are left out too.
 */
import { assertAsShown, type BulkResult, decideBulk, untrustBulk } from '../../ledger/decisions/bulk/bulk-decide.ts'
import { type BulkPlan, type BulkTerms, planBulk } from '../../ledger/decisions/bulk/bulk-plan.ts'
import { planJson } from '../../ledger/decisions/bulk/plan-json.ts'
import { selectTools, type ToolSelection } from '../../ledger/decisions/bulk/selection.ts'
import { serverOfDefinition } from '../../ledger/decisions/definition-server.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { TrackedTool } from '../../ledger/decisions/tracked-tools.ts'
import type { Decider } from '../../ledger/journal/decision.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { askOnStdin, confirmShown, isAtTerminal } from '../../serve/confirm.ts'
import { oneLine, paint, print, say, wrap } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { localTime } from '../audit/format.ts'
import { countText, presentBulk } from './present-bulk.ts'
import { hintAmong } from './suggestion-hint.ts'

export interface BulkFlags {
  yes?: boolean
  ask?: boolean
  despiteFindings?: boolean
  open?: boolean
  details?: boolean
  dryRun?: boolean
  json?: boolean
}

export interface BulkOptions extends BulkFlags {
  readonly selection: ToolSelection
  readonly to: BulkTerms['to']
  readonly grant: BulkTerms['grant']
}

export async function decideMany(ledger: Ledger, known: readonly TrackedTool[], options: BulkOptions): Promise<void> {
  const { to, grant, ask = false, yes = false, json = false, dryRun = false } = options
  if (json && !yes && !dryRun)
    throw ToolError.of('ValidationError', '--json prints no question. Add --dry-run to look, or --yes to decide.')
  const plan = planBulk(ledger, selectTools(known, options.selection), known, {
    ...{ to, ask, grant, isNamed: false, isSeen: !yes },
    despiteFindings: options.despiteFindings ?? false,
    open: options.open ?? false,
  })
  const screen = presentBulk(plan, options.details ?? false)
  const hint = json ? undefined : await hintAmong(known.filter(isOf(plan)))
  const text = hint === undefined ? screen : `${screen}\n\n${hint.trimStart()}`
  if (!json && text !== '') print(text)
  const { items } = plan
  if (items.length === 0) return nothingToDecide(plan, json)
  if (dryRun) return json ? print(readableJson(planJson(plan))) : say('nothing was changed: --dry-run')
  const isAgreed =
    yes ||
    (await confirm(questionText(plan, options), { text, count: items.length, details: options.details ?? false }))
  if (!isAgreed) {
    say('nothing was changed')
    process.exitCode = 1
    return
  }
  const result = await decideBulk(ledger, items, { ask, grant }, await decider(ledger, plan))
  if (json) print(readableJson({ ...planJson(plan), ...result }))
  else print(resultText(plan, result, to))
  if (result.missed.length > 0) process.exitCode = 1
}

/** Of the servers that the plan shows. */
function isOf({ items, leftOut }: BulkPlan): (one: TrackedTool) => boolean {
  const servers = new Set([...items, ...leftOut].map(({ server }) => server))
  return ({ tool }) => servers.has(serverOfDefinition(tool))
}

/** The definitions are compared first: who has to type a passphrase should do so for something. */
async function decider(ledger: Ledger, { items }: BulkPlan): Promise<Decider> {
  await assertAsShown(
    ledger,
    items.map(({ seen }) => seen),
  )
  return cliDecider(ledger, `to sign ${plural(items.length, 'decision')}`)
}

function nothingToDecide(plan: BulkPlan, json: boolean): void {
  if (json) print(readableJson(planJson(plan)))
  else {
    const { settled, leftOut } = plan
    if (settled > 0) say(`nothing to decide: ${plural(settled, 'tool')} may do that already`)
    else if (leftOut.length === 0) say('nothing to decide: no such tool is listed')
  }
  if (plan.leftOut.length > 0) process.exitCode = 1
}

interface Shown {
  readonly text: string
  readonly count: number
  readonly details: boolean
}

async function confirm(question: string, { text, count }: Shown): Promise<boolean> {
  if (!isAtTerminal())
    throw ToolError.of('ValidationError', 'There is no terminal to ask at. Add --yes to decide without a question.')
  const lines = text.split('\n').length + question.split('\n').length
  return confirmShown(question, { lines, name: 'This list', word: String(count) }, askOnStdin)
}

function questionText({ items }: BulkPlan, { ask, grant }: BulkOptions): string {
  const risky = items.filter(({ level }) => level === 'trusted').length
  const harmless = items.filter(({ level }) => level !== 'trusted')
  const safe = harmless.length
  const end = grant.until === undefined ? '' : ` until ${localTime(grant.until)}`
  const whose = grant.principal === undefined ? 'calls' : `calls of ${oneLine(grant.principal, 60)}`
  const parts = [
    safe > 0 && `allow ${countText(harmless)} that ${safe === 1 ? 'changes' : 'change'} nothing`,
    risky > 0 &&
      `trust ${plural(risky, 'tool')} that ${risky === 1 ? 'changes' : 'change'} state, ${ask ? 'each call with approval' : `${whose} without approval${end}`}`,
  ].filter((part) => part !== false)
  const text = parts.join(', and ')
  return wrap(`${text.charAt(0).toUpperCase()}${text.slice(1)}?`, 4).trimStart()
}

function resultText(
  { items, leftOut, settled }: BulkPlan,
  { decided, grants, revoked, missed }: BulkResult,
  to: string,
): string {
  const risky = items.filter(({ level }) => level === 'trusted').length
  const notes = [
    risky > 0 && `${risky} of them ${risky === 1 ? 'changes' : 'change'} state`,
    grants > 0 && plural(grants, 'standing grant'),
    revoked > 0 && `${plural(revoked, 'earlier grant')} revoked`,
    leftOut.length > 0 && `${leftOut.length} left out`,
    settled > 0 && `${settled} allowed before`,
  ].filter((note) => note !== false)
  const more = notes.length === 0 ? '' : `: ${notes.join(', ')}`
  const lost =
    missed.length === 0 ? '' : `\nnot decided, because somebody else decided in the same moment: ${missed.join(', ')}`
  const word = to === 'trust' ? 'trusted' : 'verified'
  const count = decided === items.length ? countText(items) : plural(decided, 'tool')
  const text = wrap(`${count} by ${oneLine(cliOperator().name)}${more}`, word.length + 2).trimStart()
  return `${paint('green', word)}  ${text}${lost}`
}

/** Every version of the chosen tools, also of those that may come back. */
export async function untrustMany(
  ledger: Ledger,
  known: readonly TrackedTool[],
  selection: ToolSelection,
  { yes = false, dryRun = false, json = false }: BulkFlags,
): Promise<void> {
  const names = new Set(selectTools(known, { ...selection, withGone: true }).map(({ tool }) => tool))
  const versions = known.filter(
    ({ tool, level, decision, grants, unsignedGrants }) =>
      names.has(tool) &&
      (level !== 'untrusted' ||
        (decision?.level ?? 'untrusted') !== 'untrusted' ||
        grants.length + unsignedGrants.length > 0),
  )
  const tools = [...new Set(versions.map(({ tool }) => tool))]
  if (tools.length === 0) return say('nothing to decide: none of them may be called')
  if (!json) print(wrap(`no longer callable: ${tools.map((tool) => oneLine(tool, 130)).join(', ')}`, 2).trimStart())
  if (dryRun) return json ? print(readableJson({ tools })) : say('nothing was changed: --dry-run')
  const question = `Revoke the trust and the grants of ${plural(tools.length, 'tool')}?`
  if (!yes && !(await confirm(question, { text: tools.join(' '), count: tools.length, details: true }))) {
    say('nothing was changed')
    process.exitCode = 1
    return
  }
  const { decided, revoked } = await untrustBulk(ledger, versions, cliOperator())
  if (json) print(readableJson({ tools, decided, revoked }))
  else
    print(
      `${paint('red', 'untrusted')}  ${plural(tools.length, 'tool')} by ${oneLine(cliOperator().name)}: ${plural(revoked, 'standing grant')} revoked`,
    )
}
