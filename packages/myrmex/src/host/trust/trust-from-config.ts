/**
 * Applies the trust that the operator's file configures when a definition is first seen. It covers the definition that was seen then. A
 * definition that appears later, a suspicious one and a changed one wait for a person, except for changes that the host can prove to be
 * harmless. A person's decision always wins.
 */
import type { Definition, Grant } from '../../ledger/decisions/grants.ts'
import {
  BY_CONFIGURATION,
  FIRST_SIGHT,
  LATE_SIGHT,
  type TrustLevel,
  type TrustRow,
} from '../../ledger/decisions/trust.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import { GradeBudget, type GradedChange } from '../../tool/grade/grade-change.ts'
import type { Tool } from '../../tool/tool.ts'
import type { ScanContext } from '../../tool/verify/scan/context.ts'
import { verifyTool } from '../../tool/verify/verify-tool.ts'
import type { AcceptedGrade, ConfiguredTrust } from '../settings.ts'
import { acceptsGrade, ChangeGrader } from './change-grader.ts'
import type { HeldBackTool } from './held-back.ts'
import { firstSuspicion } from './suspicious-text.ts'

const BY_FILE = { name: BY_CONFIGURATION, from: 'file' } as const
/** Definitions that are recorded together. */
const PORTION = 20

export interface ReviewOptions {
  /** Whether it belongs to the first listing of its server; default: all do. */
  readonly isFirst?: (tool: Tool, rows: ReadonlyMap<string, readonly TrustRow[]>) => boolean | Promise<boolean>
  /** which changes are accepted without a person; default: harmless */
  readonly accepts?: AcceptedGrade
  /** the names of the server's own tools, and of others, for the scanner */
  readonly context?: ScanContext
}

export interface Review {
  /** Their definition differs from the pinned one, and a person must look. */
  readonly changed: readonly { readonly tool: Tool; readonly graded: GradedChange | undefined }[]
  /** Their definition differs, and the host accepted that. */
  readonly accepted: readonly { readonly tool: Tool; readonly graded: GradedChange }[]
  /** They appeared after the first listing, and nobody has decided about them. */
  readonly late: readonly Tool[]
  readonly suspicious: readonly { readonly tool: Tool; readonly why: string }[]
  /** The file trusts them, and that does not count yet. */
  readonly held: readonly HeldBackTool[]
}

export async function applyConfiguredTrust(
  ledger: Ledger,
  tools: readonly Tool[],
  configured: ConfiguredTrust,
  { isFirst = () => true, accepts = 'harmless', context = {} }: ReviewOptions = {},
): Promise<Review> {
  const decisions = Map.groupBy(await ledger.trust.decisions(), ({ tool }) => tool)
  const grants = Map.groupBy(await ledger.grants.list(), ({ tool }) => tool)
  const grader = new ChangeGrader(ledger, new GradeBudget())
  const all: ReviewedTool[] = []
  const { isLocked, fileMayTrust } = ledger.lock
  const isAllowed = (tool: Tool): boolean => isLocked || fileMayTrust || !tool.destructive
  const slices = new TimeSlices()
  for (let start = 0; start < tools.length; start += PORTION) {
    const reviewed: ReviewedTool[] = []
    for (const tool of tools.slice(start, start + PORTION)) {
      const rows = decisions.get(tool.name) ?? []
      if (rows.length === 0 && !(await isFirst(tool, decisions)))
        reviewed.push({ tool, isLate: true, ...withSuspicion(tool, context) })
      else reviewed.push(await review(tool, rows, isAllowed(tool) ? configured : 'none', { grader, accepts, context }))
      await slices.pause()
    }
    await record(ledger, reviewed)
    for (const { tool, follows, isConfigurable } of reviewed) {
      // A grant that is revoked is never given again, so that it stays until the operator says what is meant.
      if (isConfigurable && tool.destructive && isAllowed(tool))
        await grant(ledger, follows ?? definitionOf(tool), configured, grants.get(tool.name) ?? [])
    }
    all.push(...reviewed)
    await new Promise(setImmediate)
  }
  return {
    changed: all.flatMap(({ tool, isChanged, graded }) => (isChanged ? [{ tool, graded }] : [])),
    accepted: all.flatMap(({ tool, follows, graded }) => (follows && graded ? [{ tool, graded }] : [])),
    late: all.filter(({ isLate }) => isLate).map(({ tool }) => tool),
    suspicious: all.flatMap(({ tool, suspicion }) => (suspicion === undefined ? [] : [{ tool, why: suspicion }])),
    held: all.filter(({ isConfigurable }) => isConfigurable).flatMap(({ tool }) => heldBack(ledger, tool, configured)),
  }
}

function heldBack({ trust, lock }: Ledger, tool: Tool, configured: ConfiguredTrust): HeldBackTool[] {
  if (levelFor(tool, configured) === 'untrusted' || trust.levelOf(tool) !== 'untrusted') return []
  return [{ tool, why: lock.isLocked ? 'unsigned' : 'open' }]
}

async function record(ledger: Ledger, reviewed: readonly ReviewedTool[]): Promise<void> {
  const isLate = (one: ReviewedTool): boolean => one.isLate === true
  const toolsOf = (some: readonly ReviewedTool[]): Tool[] => some.map(({ tool }) => tool)
  await ledger.trust.pinAll(toolsOf(reviewed.filter(isLate)), LATE_SIGHT)
  await ledger.trust.pinAll(toolsOf(reviewed.filter((one) => !isLate(one))))
  await ledger.acceptedChanges.record(
    reviewed.flatMap(({ tool, follows, graded }) =>
      follows && graded ? [{ ...definitionOf(tool), decided: follows.hash, grade: graded.grade }] : [],
    ),
  )
  for (const { tool, follows } of reviewed) if (follows) ledger.trust.followDecision(tool, follows.hash)
  await ledger.trust.setFromConfig(
    reviewed.flatMap(({ tool, follows, level }) =>
      level === undefined ? [] : [{ definition: follows ?? definitionOf(tool), level }],
    ),
    BY_CONFIGURATION,
  )
}

const definitionOf = ({ name, version, hash }: Tool): Definition => ({ tool: name, version, hash })

interface ReviewedTool {
  readonly tool: Tool
  readonly isChanged?: boolean
  readonly isLate?: boolean
  /** of a change */
  readonly graded?: GradedChange | undefined
  /** the decided definition, if this one is another that the host accepts in its place */
  readonly follows?: Definition | undefined
  readonly suspicion?: string
  /** to be recorded */
  readonly level?: TrustLevel
  /** the file may decide about it */
  readonly isConfigurable?: boolean
}

interface ReviewDeps {
  readonly grader: ChangeGrader
  readonly accepts: AcceptedGrade
  readonly context: ScanContext
}

async function review(
  tool: Tool,
  rows: readonly TrustRow[],
  configured: ConfiguredTrust,
  { grader, accepts, context }: ReviewDeps,
): Promise<ReviewedTool> {
  const row = rows.find(({ version }) => version === tool.version)
  // A new version is a change like any other: a server must not leave quarantine by raising its version or returning to an old one.
  const isNew = rows.length > 0 && (row === undefined || isNewVersion(row, rows))
  if (row === undefined || isNew) return isNew ? held(tool, context) : decided(tool, row, configured, context)
  if (row.hash === tool.hash) return decided(tool, row, configured, context)
  const graded = await grader.grade(tool, row)
  if (graded === undefined || !acceptsGrade(accepts, graded.grade)) return held(tool, context, graded)
  const follows = { tool: row.tool, version: row.version, hash: row.hash }
  return { ...decided(tool, row, configured, context), graded, follows }
}

const held = (tool: Tool, context: ScanContext, graded?: GradedChange): ReviewedTool => ({
  tool,
  isChanged: true,
  graded,
  ...withSuspicion(tool, context, graded?.reasons),
})

/** What the file says, if nobody else has decided. */
function decided(
  tool: Tool,
  row: TrustRow | undefined,
  configured: ConfiguredTrust,
  context: ScanContext,
): ReviewedTool {
  if (row?.set_by === LATE_SIGHT) return { tool, isLate: true, ...withSuspicion(tool, context) }
  const isConfigurable = row === undefined || row.set_by === FIRST_SIGHT || row.set_by === BY_CONFIGURATION
  if (!isConfigurable) return row.level === 'untrusted' ? { tool, ...withSuspicion(tool, context) } : { tool }
  const level = levelFor(tool, configured)
  const wanted = mustRecord(row, level) ? { level } : {}
  // Scanned even if untrusted, because an operator reads the reason.
  if (level === 'untrusted') return { tool, isConfigurable, ...wanted, ...withSuspicion(tool, context) }
  if (wanted.level === undefined) return { tool, isConfigurable }
  const { suspicion } = withSuspicion(tool, context)
  return suspicion === undefined ? { tool, isConfigurable, level } : { tool, suspicion }
}

function withSuspicion(
  tool: Tool,
  context: ScanContext,
  reasons: readonly string[] = [],
): { readonly suspicion?: string } {
  const suspicion = firstSuspicion(verifyTool(tool, { context })) ?? reasons[0]
  return suspicion === undefined ? {} : { suspicion }
}

/** Nobody decided about it, and another version was seen or decided earlier. */
const isNewVersion = (row: TrustRow, rows: readonly TrustRow[]): boolean =>
  row.set_by === FIRST_SIGHT &&
  rows.some((other) => other !== row && (other.set_by !== FIRST_SIGHT || other.set_at <= row.set_at))

/** An unknown tool is untrusted anyway, so that level is not recorded. */
const mustRecord = (row: TrustRow | undefined, level: TrustLevel): boolean => (row?.level ?? 'untrusted') !== level

/** What the file gives a definition. */
export function levelFor({ destructive }: Pick<Tool, 'destructive'>, configured: ConfiguredTrust): TrustLevel {
  if (configured === 'none' || (configured === 'verified' && destructive)) return 'untrusted'
  return destructive ? 'trusted' : 'verified'
}

/** At most one grant per definition: a revoked grant is not given again at the next start. */
async function grant(
  ledger: Ledger,
  definition: Definition,
  configured: ConfiguredTrust,
  grants: readonly Grant[],
): Promise<void> {
  const ours = grants.filter(({ granted_by, hash }) => granted_by === BY_CONFIGURATION && hash === definition.hash)
  const isInForce = ours.some(({ revoked_at }) => revoked_at === null)
  if (configured === 'trusted' && ours.length === 0) {
    await ledger.grants.propose(definition, BY_FILE)
  } else if (configured !== 'trusted' && isInForce) {
    await ledger.grants.revoke(definition.tool, BY_FILE)
  }
}
