/** Why a tool cannot be called yet, and the one command that helps. The same words for the command line, the host and its API. */
import { shellWord } from '../../protocol/text.ts'
import type { ChangeGrade } from '../../tool/grade/grade-change.ts'
import { isBlocking, needsReview, type VerifyFinding } from '../../tool/verify/finding.ts'
import { missingDecision, type TrackedTool } from './tracked-tools.ts'
import { BY_CONFIGURATION, isRefused, LATE_SIGHT } from './trust-row.ts'

export const HELD_BACK_REASONS = [
  'blocked',
  'refused',
  'unsigned',
  'changed',
  'new',
  'warned',
  'changes-state',
  'not-reviewed',
] as const
export type HeldBackReason = (typeof HELD_BACK_REASONS)[number]

export interface HeldBack {
  readonly tool: string
  readonly reason: HeldBackReason
  /** of a change, if the definition that was decided about is known */
  readonly grade: ChangeGrade | null
  readonly command: string
}

/** Complete "3 tools …". */
export const REASON_TEXT: Readonly<Record<HeldBackReason, string>> = {
  blocked: 'blocked by the scanner',
  refused: 'refused by a person',
  unsigned: 'not signed',
  changed: 'changed',
  new: 'new since the first listing',
  warned: 'with a warning of the scanner',
  'changes-state': 'may change state',
  'not-reviewed': 'not reviewed',
}

/** What a reason follows from. */
export interface HoldFacts {
  readonly tool: string
  readonly destructive: boolean
  readonly isUpstream: boolean
  readonly isLocked: boolean
  readonly worst: 'block' | 'warn' | undefined
  readonly isUnsigned: boolean
  /** the file gives it */
  readonly isByFile: boolean
  readonly isChanged: boolean
  readonly grade: ChangeGrade | null
  readonly isRefused: boolean
  readonly isLate: boolean
  readonly isVerified: boolean
}

export function holdOf(facts: HoldFacts): HeldBack {
  const reason = reasonOf(facts)
  return {
    tool: facts.tool,
    reason,
    grade: reason === 'changed' ? facts.grade : null,
    command: commandFor(reason, facts),
  }
}

function reasonOf(facts: HoldFacts): HeldBackReason {
  if (facts.worst === 'block') return 'blocked'
  if (facts.isChanged) return 'changed'
  if (facts.isRefused) return 'refused'
  if (facts.isUnsigned) return 'unsigned'
  if (facts.isLate) return 'new'
  if (facts.worst === 'warn') return 'warned'
  return facts.isVerified ? 'changes-state' : 'not-reviewed'
}

function commandFor(reason: HeldBackReason, facts: HoldFacts): string {
  if (reason === 'unsigned') return facts.isByFile ? 'npx myrmex trust --configured' : 'npx myrmex operator sign'
  return reason === 'blocked' ? blockedCommand(facts) : trustCommand(facts)
}

type CommandFacts = Pick<HoldFacts, 'tool' | 'destructive' | 'isUpstream' | 'isLocked'>

/** The command that decides about one tool. */
export const trustCommand = (facts: CommandFacts): string =>
  decideCommand(facts.destructive ? 'trust' : 'verify', facts)

/** `verify` never allows what the scanner blocks. */
export const blockedCommand = (facts: CommandFacts): string =>
  `${decideCommand('trust', facts)} --yes --despite-findings`

function decideCommand(verb: 'trust' | 'verify', { tool, destructive, isUpstream, isLocked }: CommandFacts): string {
  const open = destructive && isUpstream && !isLocked ? ' --open' : ''
  return `npx myrmex ${verb} ${shellWord(tool)}${open}`
}

/** How many tools of a server wait, why, and the one command that helps. */
export interface HeldBackSummary {
  readonly total: number
  readonly reasons: readonly {
    readonly reason: HeldBackReason
    readonly grade: ChangeGrade | null
    readonly count: number
  }[]
  /** null: nothing waits */
  readonly command: string | null
}

export function summarise(
  server: string,
  held: readonly (HeldBack & { readonly destructive: boolean })[],
  isLocked: boolean,
): HeldBackSummary {
  const kinds = Map.groupBy(held, ({ reason, grade }) => `${HELD_BACK_REASONS.indexOf(reason)} ${grade ?? ''}`)
  const reasons = [...kinds]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, some]) => some.slice(0, 1).map(({ reason, grade }) => ({ reason, grade, count: some.length })))
  return { total: held.length, reasons, command: serverCommand(server, held, isLocked) }
}

function serverCommand(
  server: string,
  held: readonly (HeldBack & { readonly destructive: boolean })[],
  isLocked: boolean,
): string | null {
  const [first] = held
  if (first === undefined) return null
  if (held.length === 1) return first.command
  if (held.every(({ command }) => command === first.command)) return first.command
  const together = held.filter(
    ({ reason, grade }) => reason !== 'blocked' && reason !== 'refused' && grade !== 'suspicious',
  )
  // Each of them needs a decision of its own.
  if (together.length === 0) return `npx myrmex trust status ${shellWord(server)}`
  const open = !isLocked && together.every(({ destructive }) => destructive) ? ' --open' : ''
  return `npx myrmex trust ${shellWord(server)}${open}`
}

/** `12 not reviewed, 2 changed (different)` */
export const reasonsText = ({ reasons }: HeldBackSummary): string =>
  reasons
    .map(({ reason, grade, count }) => `${count} ${REASON_TEXT[reason]}${grade === null ? '' : ` (${grade})`}`)
    .join(', ')

/** Undefined: calls of it pass, or wait for approval one by one. */
export function heldBack(
  seen: TrackedTool,
  findings: readonly VerifyFinding[],
  isLocked: boolean,
): HeldBack | undefined {
  const missing = missingDecision(seen)
  if (missing === undefined || missing === 'approval') return undefined
  return holdOf(factsOf(seen, findings, isLocked))
}

export function factsOf(seen: TrackedTool, findings: readonly VerifyFinding[], isLocked: boolean): HoldFacts {
  const { tool, body, definition, decision, changed, graded, level, other } = seen
  return {
    ...{ tool, isLocked, destructive: body.destructive, isUpstream: definition.origin !== 'own' },
    worst: isBlocking(findings) ? 'block' : needsReview(findings) ? 'warn' : undefined,
    isUnsigned: seen.isUnsigned,
    isByFile: decision?.set_by === BY_CONFIGURATION,
    isChanged: changed || other !== undefined,
    grade: graded?.grade ?? null,
    isRefused: decision !== undefined && isRefused(decision),
    isLate: decision?.set_by === LATE_SIGHT,
    isVerified: level === 'verified',
  }
}
