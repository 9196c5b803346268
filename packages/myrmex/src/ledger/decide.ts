/** Decisions about tools as they were seen: verified by machine, trusted by somebody, taken back. Who asks, and says it, is elsewhere. */
import { type Finding, hasErrors } from '../tool/verify/finding.ts'
import type { Grant } from './grants.ts'
import type { Ledger } from './ledger.ts'
import { covers, type Seen } from './seen.ts'
import { FIRST_SIGHT, type Level } from './trust.ts'

/** What is granted: until when, and to whom. Undefined: without end, to everybody. */
export interface Terms {
  readonly until: number | undefined
  readonly principal: string | undefined
}

export interface Verified {
  /** what it is afterwards */
  readonly level: Level
  /**
   * Why it stayed what it was. `findings`: errors. `decided`: about this very definition, already. `trusted-other`: another
   * definition is trusted, and would lose that. `refused`: somebody said no, and it was not named. `changed`: it is not what it was,
   * and somebody else wrote it, so that whoever lets it pass has to name it.
   */
  readonly stays?: 'findings' | 'decided' | 'trusted-other' | 'refused' | 'changed'
}

/** `named`: whoever asks means this tool, and not just all there are. */
export async function verifySeen(
  ledger: Ledger,
  seen: Seen,
  findings: readonly Finding[],
  by: string,
  named: boolean,
): Promise<Verified> {
  const { decision, level } = seen
  if (hasErrors(findings)) return { level, stays: 'findings' }
  // What was decided about this very definition stands, with who decided and when.
  if (decision !== undefined && !seen.changed && decision.level !== 'untrusted') return { level, stays: 'decided' }
  // Verified would not make it callable, and would cost the trusted definition its trust.
  if (seen.body.destructive && seen.changed && decision?.level === 'trusted') return { level, stays: 'trusted-other' }
  if (decision?.level === 'untrusted' && decision.set_by !== FIRST_SIGHT && !named) return { level, stays: 'refused' }
  if (seen.changed && seen.definition.origin === 'upstream' && !named) return { level, stays: 'changed' }
  await ledger.trust.set(seen.definition, 'verified', by)
  return { level: 'verified' }
}

export interface Trusted {
  /** the grant that lets calls through now; none where each is to be asked for */
  readonly grant: Grant | undefined
  /** it had been given before */
  readonly known: boolean
}

/** Trusts the definition that was seen, and gives its calls a grant on these terms; 'ask': none. */
export async function trustSeen(ledger: Ledger, seen: Seen, terms: Terms | 'ask', by: string): Promise<Trusted> {
  await ledger.trust.set(seen.definition, 'trusted', by)
  if (terms === 'ask') return { grant: undefined, known: false }
  const known = seen.grants.find((grant) => covers(grant, seen) && isSame(grant, terms))
  if (known !== undefined) return { grant: known, known: true }
  const { until, principal } = terms
  const grant = await ledger.grants.give(seen.definition, by, {
    ...(principal !== undefined && { principal }),
    ...(until !== undefined && { until }),
  })
  return { grant, known: false }
}

/** A grant that gives more than these terms: who gives less means to take something back, and that is another decision. */
export const widerGrant = (seen: Seen, terms: Terms): Grant | undefined =>
  seen.grants.find((grant) => covers(grant, seen) && asMuch(grant, terms) && !isSame(grant, terms))

const asMuch = (grant: Grant, { until, principal }: Terms): boolean =>
  (grant.principal === null || grant.principal === principal) &&
  (grant.expires_at === null || (until !== undefined && grant.expires_at >= until))

const isSame = (grant: Grant, { until, principal }: Terms): boolean =>
  grant.principal === (principal ?? null) && grant.expires_at === (until ?? null)

/** No version of it may be called any more, and no grant stands; gives how many did. */
export async function untrustSeen(ledger: Ledger, versions: readonly [Seen, ...Seen[]], by: string): Promise<number> {
  for (const { definition, decision } of versions) {
    // The pin stays where it was, so that it can still be told what changed since.
    await ledger.trust.set(decision ?? definition, 'untrusted', by)
  }
  return ledger.grants.revoke(versions[0].tool, by)
}
