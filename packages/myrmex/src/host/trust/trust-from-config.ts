/**
 * Applies the trust that the operator's file configures to definitions of a first listing. A definition that appears later, a suspicious
 * one and a changed one wait for a person, except for changes that the host can prove to be harmless.
 *
 * A person's decision about a tool counts for more than what the file gave its server before. A later edit of the file is a decision too:
 * raised, it allows at least what the file says now; lowered, at most (follow-file.ts). No edit allows what a person has refused.
 * docs/trust.md has the table.
 */
import type { Definition, Grant } from '../../ledger/decisions/grants.ts'
import {
  BY_CONFIGURATION,
  FIRST_SIGHT,
  isRefused,
  isUndecided,
  LATE_SIGHT,
  type TrustLevel,
  type TrustRow,
} from '../../ledger/decisions/trust-row.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import { GradeBudget, type GradedChange } from '../../tool/grade/grade-change.ts'
import type { Tool } from '../../tool/tool.ts'
import { type FindingGrade, isBlocking, needsReview } from '../../tool/verify/finding.ts'
import type { ScanContext } from '../../tool/verify/scan/context.ts'
import { verifyTool } from '../../tool/verify/verify-tool.ts'
import type { AcceptedGrade, ConfiguredTrust } from '../settings.ts'
import { acceptsGrade, ChangeGrader } from './change-grader.ts'
import { levelFor, RANK } from './configured-level.ts'
import type { InactiveTrust } from './inactive-trust.ts'
import { firstSuspicion } from './suspicious-text.ts'

const BY_FILE = { name: BY_CONFIGURATION, from: 'file' } as const
/** Definitions that are recorded together. */
const PORTION = 20

export interface ReviewOptions {
  /** Whether it belongs to the first listing of its server; default: all do. */
  readonly isFirst?: (tool: Tool, rows: ReadonlyMap<string, readonly TrustRow[]>) => boolean | Promise<boolean>
  /** which changes are accepted without a person; default: harmless */
  readonly accepts?: AcceptedGrade
  /** when the file was raised to what it gives, if that was its last edit: earlier decisions of persons are raised */
  readonly raisedAt?: number | undefined
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
  readonly suspicious: readonly {
    readonly tool: Tool
    readonly why: string
    readonly worst: FindingGrade | undefined
  }[]
  /** The file trusts them, and that does not count yet. */
  readonly held: readonly InactiveTrust[]
}

export async function applyConfiguredTrust(
  ledger: Ledger,
  tools: readonly Tool[],
  configured: ConfiguredTrust,
  { isFirst = () => true, accepts = 'harmless', raisedAt, context = {} }: ReviewOptions = {},
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
      else
        reviewed.push(
          await review(tool, rows, isAllowed(tool) ? configured : 'none', { grader, accepts, raisedAt, context }),
        )
      await slices.pause()
    }
    await record(ledger, reviewed)
    for (const { tool, follows, isConfigurable } of reviewed) {
      if (isConfigurable && tool.destructive && isAllowed(tool))
        await grant(ledger, follows ?? definitionOf(tool), configured, grants.get(tool.name) ?? [], raisedAt)
    }
    all.push(...reviewed)
    await new Promise(setImmediate)
  }
  return {
    changed: all.flatMap(({ tool, isChanged, graded }) => (isChanged ? [{ tool, graded }] : [])),
    accepted: all.flatMap(({ tool, follows, graded }) => (follows && graded ? [{ tool, graded }] : [])),
    late: all.filter(({ isLate }) => isLate).map(({ tool }) => tool),
    suspicious: all.flatMap(({ tool, suspicion, worst }) =>
      suspicion === undefined ? [] : [{ tool, why: suspicion, worst }],
    ),
    held: all.filter(({ isConfigurable }) => isConfigurable).flatMap(({ tool }) => heldBack(ledger, tool, configured)),
  }
}

function heldBack({ trust, lock }: Ledger, tool: Tool, configured: ConfiguredTrust): InactiveTrust[] {
  if (levelFor(tool, configured) === 'untrusted' || trust.levelOf(tool) !== 'untrusted') return []
  return [{ tool, why: lock.isLocked ? 'unsigned' : 'open' }]
}

async function record(ledger: Ledger, reviewed: readonly ReviewedTool[]): Promise<void> {
  const isLate = (one: ReviewedTool): boolean => one.isLate === true
  const toolsOf = (some: readonly ReviewedTool[]): Tool[] => some.map(({ tool }) => tool)
  await ledger.trust.pinAll(toolsOf(reviewed.filter(isLate)), LATE_SIGHT)
  await ledger.trust.pinAll(toolsOf(reviewed.filter((one) => !isLate(one))))
  await ledger.trust.repinAll(
    reviewed.flatMap(({ tool, repins }) => (repins === undefined ? [] : [{ tool, row: repins }])),
  )
  await ledger.acceptedChanges.record(
    reviewed.flatMap(({ tool, follows, graded }) =>
      follows && graded ? [{ ...definitionOf(tool), decided: follows.hash, grade: graded.grade }] : [],
    ),
  )
  for (const { tool, follows } of reviewed) if (follows) ledger.trust.followDecision(tool, follows.hash)
  await ledger.trust.setFromConfig(
    reviewed.flatMap(({ tool, follows, level, replaces }) =>
      level === undefined
        ? []
        : [{ definition: follows ?? definitionOf(tool), level, ...(replaces !== undefined && { replaces }) }],
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
  /** of the findings that make it suspicious */
  readonly worst?: FindingGrade | undefined
  /** to be recorded */
  readonly level?: TrustLevel
  /** when the person's decision was made that it replaces */
  readonly replaces?: number
  /** the pin that differs only in what the operator's file says of the tool */
  readonly repins?: TrustRow
  /** the file may decide about it */
  readonly isConfigurable?: boolean
}

interface ReviewDeps {
  readonly grader: ChangeGrader
  readonly accepts: AcceptedGrade
  readonly raisedAt: number | undefined
  readonly context: ScanContext
}

async function review(
  tool: Tool,
  rows: readonly TrustRow[],
  configured: ConfiguredTrust,
  deps: ReviewDeps,
): Promise<ReviewedTool> {
  const { grader, accepts, context } = deps
  const row = rows.find(({ version }) => version === tool.version)
  // A new version is a change like any other: a server must not leave quarantine by raising its version or returning to an old one.
  const isNew = rows.length > 0 && (row === undefined || isNewVersion(row, rows))
  if (row === undefined || isNew) return isNew ? held(tool, context) : decided(tool, row, configured, deps)
  if (row.hash === tool.hash) return decided(tool, row, configured, deps)
  if (isByNobody(row) && (await grader.isNowHarmlessByFile(tool, row))) {
    if (row.set_by === LATE_SIGHT) return { ...decided(tool, row, configured, deps), repins: row }
    return { ...decided(tool, undefined, configured, deps), repins: row }
  }
  const graded = await grader.grade(tool, row)
  if (graded === undefined || !acceptsGrade(accepts, graded.grade)) return held(tool, context, graded)
  const follows = { tool: row.tool, version: row.version, hash: row.hash }
  return { ...decided(tool, row, configured, deps), graded, follows }
}

const held = (tool: Tool, context: ScanContext, graded?: GradedChange): ReviewedTool => ({
  tool,
  isChanged: true,
  graded,
  ...withSuspicion(tool, context, graded?.reasons),
})

/** No person has decided about it. */
const isByNobody = (row: TrustRow): boolean => isUndecided(row) || row.set_by === BY_CONFIGURATION

/** What the file says, if nobody else has decided, or if it was raised since. */
function decided(
  tool: Tool,
  row: TrustRow | undefined,
  configured: ConfiguredTrust,
  { context, raisedAt }: Pick<ReviewDeps, 'context' | 'raisedAt'>,
): ReviewedTool {
  if (row?.set_by === LATE_SIGHT) return { tool, isLate: true, ...withSuspicion(tool, context) }
  const isConfigurable = row === undefined || isByNobody(row)
  if (!isConfigurable) {
    if (isRefused(row)) return { tool, ...withSuspicion(tool, context) }
    return raisedAt !== undefined && row.set_at < raisedAt ? raised(tool, row, configured, context) : { tool }
  }
  const level = levelFor(tool, configured)
  const wanted = mustRecord(row, level) ? { level } : {}
  // Scanned even if untrusted, because an operator reads the reason.
  if (level === 'untrusted') return { tool, isConfigurable, ...wanted, ...withSuspicion(tool, context) }
  if (wanted.level === undefined) return { tool, isConfigurable }
  const found = withSuspicion(tool, context)
  return found.suspicion === undefined ? { tool, isConfigurable, level } : { tool, ...found }
}

/** The file was raised after a person had decided: it adds what it gives, and takes nothing. */
function raised(tool: Tool, row: TrustRow, configured: ConfiguredTrust, context: ScanContext): ReviewedTool {
  const level = levelFor(tool, configured)
  if (RANK[level] < RANK[row.level]) return { tool }
  if (RANK[level] === RANK[row.level]) return { tool, isConfigurable: true }
  if (withSuspicion(tool, context).suspicion !== undefined) return { tool }
  return { tool, isConfigurable: true, level, replaces: row.set_at }
}

function withSuspicion(
  tool: Tool,
  context: ScanContext,
  reasons: readonly string[] = [],
): { readonly suspicion?: string; readonly worst?: FindingGrade | undefined } {
  const findings = verifyTool(tool, { context })
  const suspicion = firstSuspicion(findings) ?? reasons[0]
  const worst = isBlocking(findings) ? 'block' : needsReview(findings) ? 'warn' : undefined
  return suspicion === undefined ? {} : { suspicion, worst }
}

/** Nobody decided about it, and another version was seen or decided earlier. */
const isNewVersion = (row: TrustRow, rows: readonly TrustRow[]): boolean =>
  row.set_by === FIRST_SIGHT &&
  rows.some((other) => other !== row && (other.set_by !== FIRST_SIGHT || other.set_at <= row.set_at))

/** An unknown tool is untrusted anyway, so that level is not recorded. */
const mustRecord = (row: TrustRow | undefined, level: TrustLevel): boolean => (row?.level ?? 'untrusted') !== level

/**
 * At most one grant of the file per definition. One that a person revoked is given again only if the file was raised since; one that the
 * file itself took back is given again as soon as the file gives it.
 */
async function grant(
  ledger: Ledger,
  definition: Definition,
  configured: ConfiguredTrust,
  grants: readonly Grant[],
  raisedAt: number | undefined,
): Promise<void> {
  const ours = grants.filter(({ granted_by, hash }) => granted_by === BY_CONFIGURATION && hash === definition.hash)
  const isInForce = ours.some(({ revoked_at }) => revoked_at === null)
  const newest = ours.at(-1)
  const isFree =
    newest === undefined ||
    newest.revoked_by === BY_CONFIGURATION ||
    (raisedAt !== undefined && newest.revoked_at !== null && newest.revoked_at < raisedAt)
  if (configured === 'trusted' && !isInForce && isFree) {
    await ledger.grants.propose(definition, BY_FILE)
  } else if (configured !== 'trusted' && isInForce) {
    await ledger.grants.revoke(definition.tool, BY_FILE)
  }
}
