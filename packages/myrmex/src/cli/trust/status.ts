/** `myrmex status`: every tool that was tracked: its trust level, who decided, until when, and what changed since. */

import { isSelection, isServer, selectTools } from '../../ledger/decisions/bulk/selection.ts'
import type { Grant } from '../../ledger/decisions/grants.ts'
import { heldBack } from '../../ledger/decisions/held-back.ts'
import {
  findingsOf,
  grantCovers,
  isTrackedName,
  listedTools,
  missingDecision,
  type TrackedTool,
  trackedToolJson,
  trackedTools,
  trackedVersions,
} from '../../ledger/decisions/tracked-tools.ts'
import { FIRST_SIGHT, LATE_SIGHT, type TrustRow } from '../../ledger/decisions/trust-row.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { modeText } from '../../serve/mode-text.ts'
import { oneLine, print, say } from '../../serve/terminal.ts'
import type { ChangeGrade, GradedChange } from '../../tool/grade/grade-change.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { VerifyFinding } from '../../tool/verify/finding.ts'
import { localTime } from '../audit/format.ts'
import { formatSpan } from '../time-span.ts'
import { changedSince } from './earlier-decision.ts'
import { canLoad, LOAD_HINT, type LoadFlags, ledgerOf, loadAndRecord } from './load-tools.ts'
import { bullets, fact, factWithCommand, findingLines, headline } from './present-tool.ts'
import { statusSummary } from './status-summary.ts'
import { hintAmong } from './suggestion-hint.ts'

export interface StatusOptions extends LedgerFlags, LoadFlags {
  json?: boolean
  all?: boolean
  gone?: boolean
}

export async function showStatus(name: string | undefined, options: StatusOptions): Promise<void> {
  const { all, mode, isLocked } = await seenTools(name, await ledgerOf(options))
  const chosen = options.gone ? goneTools(all, name) : chosenTools(all, name)
  if (options.json) {
    // Of all tools together the definitions would be megabytes.
    const isOne = name !== undefined && !isSelection(all, [name])
    const withBody = (tracked: TrackedTool) => ({ ...trackedToolJson(tracked), definition: tracked.body })
    return print(readableJson(chosen.map(isOne ? withBody : trackedToolJson)))
  }
  const gone = options.gone || name !== undefined ? 0 : goneTools(all, name).length
  if (chosen.length === 0)
    print(all.length === 0 ? 'no tools seen yet: start a server with this ledger' : 'no such tools here')
  else if (name === undefined && !options.all && isLong(chosen))
    print(statusSummary(chosen, isLocked, await hintAmong(chosen)))
  else print(chosen.map((tracked) => statusText(tracked, all, isLocked)).join('\n\n'))
  if (gone > 0)
    say(
      `${plural(gone, 'tool')} that ${gone === 1 ? 'its server no longer lists keeps its' : 'their servers no longer list keep their'} decisions: npx myrmex trust status --gone`,
    )
  if (name === undefined) say(mode)
}

/** More tools than a screen has room for are counted by server. */
const MAX_WHOLE = 6
const isLong = (chosen: readonly TrackedTool[]): boolean => chosen.length > MAX_WHOLE

function chosenTools(all: readonly TrackedTool[], name: string | undefined): readonly TrackedTool[] {
  if (name === undefined) return listedTools(all)
  if (!isServer(all, name) && !name.includes('*')) return trackedVersions(all, name, LOAD_HINT)
  return selectTools(all, { names: [name], readOnly: false })
}

const goneTools = (all: readonly TrackedTool[], name: string | undefined): readonly TrackedTool[] =>
  selectTools(all, { names: name === undefined ? [] : [name], readOnly: false, withGone: true }).filter(
    ({ goneAt }) => goneAt !== undefined,
  )

/** Writes nothing, unless tools must be loaded: their definitions are recorded, as by a server that starts. */
async function seenTools(
  name: string | undefined,
  options: StatusOptions,
): Promise<{ all: readonly TrackedTool[]; mode: string; isLocked: boolean }> {
  const names = name === undefined ? [] : [name]
  if (options.file === undefined && options.fleet === undefined) {
    const seen = await withLedger(options, 'read-only', async (ledger) => ({
      all: await trackedTools(ledger),
      mode: modeText(ledger),
      isLocked: ledger.lock.isLocked,
    })).catch((thrown: unknown) => {
      if (name !== undefined && canLoad(options) && isMissingLedger(thrown)) return undefined
      throw thrown
    })
    const isKnown =
      seen !== undefined &&
      names.every((one) => isTrackedName(seen.all, one) || isServer(seen.all, one) || one.includes('*'))
    if (seen !== undefined && (isKnown || !canLoad(options))) return seen
  }
  return withLedger(options, 'create', async (ledger) => ({
    all: (await loadAndRecord(ledger, options, names)).known,
    mode: modeText(ledger),
    isLocked: ledger.lock.isLocked,
  }))
}

const isMissingLedger = (thrown: unknown): boolean =>
  thrown instanceof ToolError && thrown.error_type === 'FileNotFoundError'

function statusText(tracked: TrackedTool, all: readonly TrackedTool[], isLocked: boolean): string {
  const lines = [headline(tracked), levelFact(tracked)]
  if (tracked.goneAt !== undefined)
    lines.push(fact('gone', `its server no longer lists it, since ${localTime(tracked.goneAt)}`))
  if (tracked.acceptedAt !== undefined)
    lines.push(fact('changed', `${tracked.graded?.grade}, accepted by the host ${localTime(tracked.acceptedAt)}`))
  else if (tracked.graded !== undefined) lines.push(fact('change', GRADE_TEXT[tracked.graded.grade](tracked.graded)))
  if (tracked.changed || tracked.acceptedAt !== undefined) lines.push(...bullets(tracked.changes))
  const findings = findingsOf(tracked, [], all)
  if (tracked.level === 'untrusted') lines.push(...findingLines(findings.filter(mustBeSeen), 4))
  else if (tracked.other !== undefined) lines.push(...bullets(tracked.other.changes))
  for (const grant of tracked.grants) lines.push(fact('grant', grantText(grant, tracked)))
  for (const { id } of tracked.unsignedGrants)
    lines.push(factWithCommand('grant', `${id} has no signature and does not count:`, 'npx myrmex operator sign'))
  const missing = missingDecision(tracked)
  const command = oneLine(heldBack(tracked, findings, isLocked)?.command ?? '')
  const needsNothing = missing === undefined || tracked.goneAt !== undefined
  return (needsNothing ? lines : [...lines, MISSING_TEXT[missing](command)]).join('\n')
}

/** What a change means. */
const GRADE_TEXT: Readonly<Record<ChangeGrade, (graded: GradedChange) => string>> = {
  harmless: () => 'harmless: it changes neither what a call does nor what a model reads',
  wider: () => 'wider: it accepts more, and its texts are the same',
  different: () => 'different: read it before you decide',
  suspicious: ({ reasons }) => `suspicious: ${oneLine(reasons.join(' '), 300)}`,
}

const mustBeSeen = ({ grade }: VerifyFinding): boolean => grade !== 'note'

/** What a tool needs before it can be called. */
const MISSING_TEXT: Readonly<Record<NonNullable<ReturnType<typeof missingDecision>>, (command: string) => string>> = {
  trust: (command) => factWithCommand('not callable', 'it changes state;', command),
  verify: (command) => factWithCommand('not callable', '', command),
  approval: () => fact('no grant', 'calls need approval, unless the policy says otherwise'),
}

const COLOURS = { trusted: 'green', verified: 'cyan', untrusted: 'red' } as const

function levelFact(tracked: TrackedTool): string {
  const { decision, isUnsigned, level } = tracked
  return decision !== undefined && isUnsigned
    ? factWithCommand(level, unsignedText(decision), 'npx myrmex operator sign', COLOURS[level])
    : fact(level, reasonText(tracked), COLOURS[level])
}

function reasonText(tracked: TrackedTool): string {
  const { decision, definition, changed, other } = tracked
  if (changed) return `${changedSince(tracked)}: now untrusted`
  if (other !== undefined) return `changed since ${other.version}, which is ${other.level}: now untrusted`
  if (decision === undefined) {
    return definition.origin === 'own'
      ? `defined in the server's own code, first seen ${localTime(definition.first_seen)}`
      : `nobody has decided, first seen ${localTime(definition.first_seen)}`
  }
  if (decision.set_by === LATE_SIGHT)
    return `nobody has decided; it appeared after the first listing of its server, on ${localTime(decision.set_at)}`
  return decision.set_by === FIRST_SIGHT
    ? `nobody has decided, first seen ${localTime(decision.set_at)}`
    : `since ${localTime(decision.set_at)} by ${oneLine(decision.set_by, 60)}`
}

const unsignedText = ({ level, set_by, set_at }: TrustRow): string =>
  `${oneLine(set_by, 60)} made it ${level} on ${localTime(set_at)}, which does not count without your signature:`

function grantText(grant: Grant, tracked: TrackedTool): string {
  const { id, principal, granted_by, granted_at, expires_at } = grant
  const grantee = principal === null ? 'for everyone' : `for ${oneLine(principal, 60)}`
  const end =
    expires_at === null ? 'no expiry' : `until ${localTime(expires_at)} (${formatSpan(expires_at - Date.now())} left)`
  const validity = grantCovers(grant, tracked) ? '' : '; for an earlier definition, no longer valid'
  return `${id} ${grantee}, ${end}, given ${localTime(granted_at)} by ${oneLine(granted_by, 60)}${validity}`
}
