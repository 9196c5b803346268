/**
 * What a decision about many tools would do, before anybody is asked: which tools, what is new about each, what each may do then, and which
 * ones are left out. What the scanner blocks and a suspicious change are left out unless the person says otherwise, and so is what a person
 * has refused by name.
 */
import { shellWord } from '../../../protocol/text.ts'
import { pointerInWords } from '../../../tool/difference/place-in-words.ts'
import { isBlocking, needsReview, type VerifyFinding } from '../../../tool/verify/finding.ts'
import type { Ledger } from '../../ledger.ts'
import { type GrantTerms, widerGrant } from '../decide.ts'
import { serverOfDefinition } from '../definition-server.ts'
import { blockedCommand, trustCommand } from '../held-back.ts'
import { findingsOf, grantCovers, type TrackedTool } from '../tracked-tools.ts'
import { BY_CONFIGURATION, isRefused, isUndecided, LATE_SIGHT } from '../trust-row.ts'

/** In the order in which a person reads them. The grades are those of changed definitions. */
export const BULK_KINDS = [
  'suspicious',
  'different',
  'wider',
  'harmless',
  'new-tool',
  'not-reviewed',
  'not-signed',
  'decided',
] as const
export type BulkKind = (typeof BULK_KINDS)[number]

export interface BulkItem {
  readonly seen: TrackedTool
  readonly server: string
  readonly kind: BulkKind
  readonly findings: readonly VerifyFinding[]
  /** the level that it gets */
  readonly level: 'verified' | 'trusted'
  /** calls that change state pass without approval */
  readonly grants: boolean
  /** what differs from the definition that was decided about */
  readonly changes: readonly string[]
}

export const LEFT_OUT_REASONS = [
  'blocked',
  'suspicious',
  'refused',
  'warned',
  'open-mode',
  'changes-state',
  'wider-grant',
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

export interface LeftOut {
  readonly seen: TrackedTool
  readonly server: string
  readonly reason: LeftOutReason
  /** the finding, or what the change is suspected of */
  readonly why: string
  /** decides about this tool alone */
  readonly command: string
}

export interface BulkPlan {
  readonly items: readonly BulkItem[]
  readonly leftOut: readonly LeftOut[]
  /** may already do what is asked for */
  readonly settled: number
  /** nothing of them has been decided about before */
  readonly newServers: ReadonlySet<string>
}

export interface BulkTerms {
  /** verify: only tools that change nothing can be called then */
  readonly to: 'trust' | 'verify'
  readonly ask: boolean
  readonly grant: GrantTerms
  readonly despiteFindings: boolean
  /** in open mode too, tools of upstreams that change state */
  readonly open: boolean
  /** a person sees every finding and every change before the decision, or names each tool */
  readonly isSeen: boolean
  /** each tool is named by itself */
  readonly isNamed: boolean
}

export function planBulk(
  ledger: Ledger,
  chosen: readonly TrackedTool[],
  known: readonly TrackedTool[],
  terms: BulkTerms,
): BulkPlan {
  const judged = chosen.map((seen) => judge(ledger, seen, findingsOf(seen, [], known), terms))
  return {
    items: judged.filter((one) => one !== 'settled' && 'kind' in one).sort(byKind),
    leftOut: judged.filter((one) => one !== 'settled' && 'reason' in one),
    settled: judged.filter((one) => one === 'settled').length,
    newServers: serversWithoutDecisions(known),
  }
}

/** Nobody, and no file, has decided about anything of theirs. */
function serversWithoutDecisions(known: readonly TrackedTool[]): ReadonlySet<string> {
  const all = new Set(known.map(({ tool }) => serverOfDefinition(tool)))
  for (const one of known) if (isDecided(one)) all.delete(serverOfDefinition(one.tool))
  return all
}

const isDecided = ({ decision }: TrackedTool): boolean => decision !== undefined && !isUndecided(decision)

/** Findings come first. */
const byKind = (one: BulkItem, other: BulkItem): number =>
  Number(needsReview(other.findings)) - Number(needsReview(one.findings)) ||
  BULK_KINDS.indexOf(one.kind) - BULK_KINDS.indexOf(other.kind)

function judge(
  ledger: Ledger,
  seen: TrackedTool,
  findings: readonly VerifyFinding[],
  terms: BulkTerms,
): BulkItem | LeftOut | 'settled' {
  if (isSettled(seen, terms)) return 'settled'
  const server = serverOfDefinition(seen.tool)
  const { destructive } = seen.body
  const kind = kindOf(seen)
  const { isLocked } = ledger.lock
  const facts = { tool: seen.tool, destructive, isUpstream: isForeign(seen), isLocked }
  const single = trustCommand(facts)
  if (isBlocking(findings) && !terms.despiteFindings)
    return { seen, server, reason: 'blocked', why: worstOf(findings), command: blockedCommand(facts) }
  const out = reviewFirst(seen, findings, kind, terms, single) ?? beyondTerms(seen, isLocked, terms, single)
  if (out !== undefined) return { seen, server, ...out }
  return {
    ...{ seen, server, kind, findings },
    level: destructive ? 'trusted' : 'verified',
    grants: destructive && !terms.ask,
    changes: seen.changed ? seen.changes : (seen.other?.changes ?? []),
  }
}

const isForeign = ({ definition }: TrackedTool): boolean => definition.origin !== 'own'

type Reason = Omit<LeftOut, 'seen' | 'server'>

/** A person must look at it by itself. */
function reviewFirst(
  { graded, decision }: TrackedTool,
  findings: readonly VerifyFinding[],
  kind: BulkKind,
  { despiteFindings, isNamed, isSeen }: BulkTerms,
  command: string,
): Reason | undefined {
  if (kind === 'suspicious' && !despiteFindings)
    return { reason: 'suspicious', why: graded?.reasons.join(' ') ?? '', command }
  if (decision !== undefined && isRefused(decision) && !isNamed)
    return { reason: 'refused', why: `${decision.set_by} decided against it`, command }
  if (needsReview(findings) && !isSeen && !despiteFindings) return { reason: 'warned', why: worstOf(findings), command }
  return undefined
}

/** It changes state, and the decision does not cover that. */
function beyondTerms(seen: TrackedTool, isLocked: boolean, terms: BulkTerms, command: string): Reason | undefined {
  if (!seen.body.destructive) return undefined
  if (terms.to === 'verify') return { reason: 'changes-state', why: 'it changes state, and must be trusted', command }
  if (isForeign(seen) && !isLocked && !terms.open)
    return { reason: 'open-mode', why: 'it changes state, and any process of this user can approve its calls', command }
  const wider = terms.ask ? undefined : widerGrant(seen, terms.grant)
  if (wider === undefined) return undefined
  const untrust = `npx myrmex untrust ${shellWord(seen.tool)}`
  return { reason: 'wider-grant', why: `grant ${wider.id} already allows more`, command: untrust }
}

function worstOf(findings: readonly VerifyFinding[]): string {
  const worst = findings.find(({ grade }) => grade === 'block') ?? findings.find(({ grade }) => grade === 'warn')
  // Several signals together are in no single place.
  return worst === undefined ? '' : `${worst.where === '' ? '' : `${pointerInWords(worst.where)}: `}${worst.message}`
}

function isSettled(seen: TrackedTool, { ask, to, grant }: BulkTerms): boolean {
  if (seen.isUnsigned || seen.changed || seen.level === 'untrusted') return false
  if (!seen.body.destructive) return true
  if (to === 'verify') return true
  if (seen.level !== 'trusted') return false
  const inForce = seen.grants.filter((one) => grantCovers(one, seen))
  if (ask) return inForce.length === 0
  return inForce.some((one) => one.principal === (grant.principal ?? null) && one.expires_at === (grant.until ?? null))
}

function kindOf(seen: TrackedTool): BulkKind {
  const { decision, changed, graded, other } = seen
  if (seen.isUnsigned) return 'not-signed'
  if (changed) return graded?.grade ?? 'different'
  if (other !== undefined) return 'different'
  if (decision !== undefined && (seen.level !== 'untrusted' || !isUndecided(decision)))
    return decision.set_by === BY_CONFIGURATION && decision.level === 'untrusted' ? 'not-reviewed' : 'decided'
  return decision?.set_by === LATE_SIGHT ? 'new-tool' : 'not-reviewed'
}
