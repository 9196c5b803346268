/** Decisions about tracked tools: verify, trust, untrust. The CLI and the API call these. */
import { ToolError } from '../../protocol/errors.ts'
import { isBlocking, needsReview, type VerifyFinding } from '../../tool/verify/finding.ts'
import type { Decider } from '../journal/decision.ts'
import type { Ledger } from '../ledger.ts'
import type { Grant } from './grants.ts'
import { grantCovers, type TrackedTool } from './tracked-tools.ts'
import { isRefused, LATE_SIGHT, type TrustLevel } from './trust-row.ts'

/** What is granted: until when, and to whom. Undefined: without end, to everybody. */
export interface GrantTerms {
  readonly until: number | undefined
  readonly principal: string | undefined
}

export interface VerifyResult {
  /** what it is afterwards */
  readonly level: TrustLevel
  /**
   * Why it stayed what it was. `findings`: one blocks, or one warns and the tool was not named. `decided`: about this very definition, already. `trusted-other`: another
   * definition is trusted, and would lose that. `refused`: somebody said no, and it was not named. `changed`: it is not what it was,
   * and somebody else wrote it, so that it must be named to be verified. `late`: the same for one that appeared after the first
   * listing of its server.
   */
  readonly keptBecause?: 'findings' | 'decided' | 'trusted-other' | 'refused' | 'changed' | 'late'
}

/** `named`: the person named this tool, instead of verifying all tools. */
export async function verifyDefinition(
  ledger: Ledger,
  seen: TrackedTool,
  findings: readonly VerifyFinding[],
  by: Decider,
  named: boolean,
): Promise<VerifyResult> {
  const { level } = seen
  const decision = seen.isUnsigned ? undefined : seen.decision
  // A person who names the tool has seen what the check found; a blocking finding takes more than that.
  if (isBlocking(findings) || (needsReview(findings) && !named)) return { level, keptBecause: 'findings' }
  // A decision about this definition stays, with who decided and when.
  if (decision !== undefined && !seen.changed && decision.level !== 'untrusted')
    return { level, keptBecause: 'decided' }
  // Verified would not make it callable, and would cost the trusted definition its trust.
  if (seen.body.destructive && seen.changed && decision?.level === 'trusted')
    return { level, keptBecause: 'trusted-other' }
  if (decision !== undefined && isRefused(decision) && !named) return { level, keptBecause: 'refused' }
  if (seen.changed && seen.definition.origin === 'upstream' && !named) return { level, keptBecause: 'changed' }
  if (decision?.set_by === LATE_SIGHT && !named) return { level, keptBecause: 'late' }
  await ledger.trust.set(seen.definition, 'verified', by)
  return { level: 'verified' }
}

export interface TrustResult {
  /** the grant that lets calls through; undefined if each call needs approval */
  readonly grant: Grant | undefined
  /** it had been given before */
  readonly alreadyGranted: boolean
}

/**
 * In open mode any process of the operator's user can approve calls and trust tools, so that an upstream's tools that change state are
 * trusted only if the operator says that this is meant. `how` completes "Or …". Throws PermissionError.
 */
export function refuseInOpenMode({ lock }: Ledger, { tool, body, definition }: TrackedTool, how: string): void {
  if (lock.isLocked || !body.destructive || definition.origin === 'own') return
  throw ToolError.of(
    'PermissionError',
    `${tool} changes state and is not your own code, and this ledger is in open mode: any process of this user, the server of the tool ` +
      `included, can approve its calls. Lock the ledger first: npx myrmex operator init. Or ${how}.`,
    { tool, mode: 'open' },
  )
}

/** Trusts the definition that was seen, and gives its calls a grant on these terms; 'ask': none. */
export async function trustDefinition(
  ledger: Ledger,
  seen: TrackedTool,
  terms: GrantTerms | 'ask',
  by: Decider,
): Promise<TrustResult> {
  await ledger.trust.set(seen.definition, 'trusted', by)
  if (terms === 'ask') return { grant: undefined, alreadyGranted: false }
  const known = seen.grants.find((grant) => grantCovers(grant, seen) && isSame(grant, terms))
  if (known !== undefined) return { grant: known, alreadyGranted: true }
  const { until, principal } = terms
  const grant = await ledger.grants.give(seen.definition, by, {
    ...(principal !== undefined && { principal }),
    ...(until !== undefined && { until }),
  })
  return { grant, alreadyGranted: false }
}

/** A grant that allows more than these terms. Reducing it is another decision. */
export const widerGrant = (seen: TrackedTool, terms: GrantTerms): Grant | undefined =>
  seen.grants.find((grant) => grantCovers(grant, seen) && asMuch(grant, terms) && !isSame(grant, terms))

const asMuch = (grant: Grant, { until, principal }: GrantTerms): boolean =>
  (grant.principal === null || grant.principal === principal) &&
  (grant.expires_at === null || (until !== undefined && grant.expires_at >= until))

const isSame = (grant: Grant, { until, principal }: GrantTerms): boolean =>
  grant.principal === (principal ?? null) && grant.expires_at === (until ?? null)

/** Untrusts all versions and revokes all grants; returns how many grants. */
export async function untrustVersions(
  ledger: Ledger,
  versions: readonly [TrackedTool, ...TrackedTool[]],
  by: Decider,
): Promise<number> {
  for (const { definition, decision } of versions) {
    // The pin stays, so that later changes can still be shown.
    await ledger.trust.set(decision ?? definition, 'untrusted', by)
  }
  return ledger.grants.revoke(versions[0].tool, by)
}
