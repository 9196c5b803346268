/** Decisions about tracked tools: verify, trust, untrust. The CLI and the API call these. */
import { hasErrors, type VerifyFinding } from '../../tool/verify/finding.ts'
import type { Decider } from '../journal/decision.ts'
import type { Ledger } from '../ledger.ts'
import type { Grant } from './grants.ts'
import { grantCovers, type TrackedTool } from './tracked-tools.ts'
import { FIRST_SIGHT, type TrustLevel } from './trust.ts'

/** What is granted: until when, and to whom. Undefined: without end, to everybody. */
export interface GrantTerms {
  readonly until: number | undefined
  readonly principal: string | undefined
}

export interface VerifyResult {
  /** what it is afterwards */
  readonly level: TrustLevel
  /**
   * Why it stayed what it was. `findings`: errors. `decided`: about this very definition, already. `trusted-other`: another
   * definition is trusted, and would lose that. `refused`: somebody said no, and it was not named. `changed`: it is not what it was,
   * and somebody else wrote it, so that it must be named to be verified.
   */
  readonly keptBecause?: 'findings' | 'decided' | 'trusted-other' | 'refused' | 'changed'
}

/** `named`: the person named this tool, instead of verifying all tools. */
export async function verifyDefinition(
  ledger: Ledger,
  seen: TrackedTool,
  findings: readonly VerifyFinding[],
  by: Decider,
  named: boolean,
): Promise<VerifyResult> {
  const { decision, level } = seen
  if (hasErrors(findings)) return { level, keptBecause: 'findings' }
  // A decision about this definition stays, with who decided and when.
  if (decision !== undefined && !seen.changed && decision.level !== 'untrusted')
    return { level, keptBecause: 'decided' }
  // Verified would not make it callable, and would cost the trusted definition its trust.
  if (seen.body.destructive && seen.changed && decision?.level === 'trusted')
    return { level, keptBecause: 'trusted-other' }
  if (decision?.level === 'untrusted' && decision.set_by !== FIRST_SIGHT && !named)
    return { level, keptBecause: 'refused' }
  if (seen.changed && seen.definition.origin === 'upstream' && !named) return { level, keptBecause: 'changed' }
  await ledger.trust.set(seen.definition, 'verified', by)
  return { level: 'verified' }
}

export interface TrustResult {
  /** the grant that lets calls through; undefined if each call needs approval */
  readonly grant: Grant | undefined
  /** it had been given before */
  readonly alreadyGranted: boolean
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
