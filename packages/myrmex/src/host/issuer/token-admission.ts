/**
 * Who a token of the embedded issuer admits: its user as it is now. A token never has more than the operator allows the user at the time of
 * the request, and ends at once when the user is disabled or the grant is revoked. While nothing changes, that is one comparison a request.
 */

import type { UserStates } from '../../ledger/sign-in/user-states.ts'
import { principalIdOf } from '../../ledger/sign-in/users.ts'
import type { Principal } from '../../tool/context.ts'
import type { TokenAdmission } from '../../transport/http/guard.ts'
import { BadToken } from '../../transport/http/jwt.ts'
import { isProfilePath } from '../../transport/http/protected-resource.ts'
import { commonScopes } from './scope-words.ts'

interface Admitted {
  readonly revision: number
  /** or why it is not admitted */
  readonly verdict: Principal | string
}

/** Audiences are the URL of the host, and those of its profiles. */
export function isOwnResource(resource: string, audience: string): boolean {
  if (resource === audience) return true
  const [url, own] = [URL.parse(resource), new URL(audience)]
  return (
    url !== null &&
    url.href === resource &&
    url.origin === own.origin &&
    isProfilePath(url.pathname, own.pathname) &&
    url.search === '' &&
    url.hash === ''
  )
}

export function tokenAdmission(jwt: TokenAdmission['jwt'], states: UserStates): TokenAdmission {
  const admitted = new WeakMap<Principal, Admitted>()
  /** by the principal that a token admits: the one that its signature proves */
  const proven = new WeakMap<Principal, Principal>()
  const root = new URL(jwt.audience).pathname
  const verdictOf = (verified: Principal): Admitted['verdict'] => {
    const revision = states.revision()
    const known = admitted.get(verified)
    if (known?.revision === revision) return known.verdict
    return remember(verified, { revision, verdict: judge(verified, states, root) }).verdict
  }
  return {
    jwt,
    isAudience: (audience) => isOwnResource(audience, jwt.audience),
    admit(verified) {
      const verdict = verdictOf(verified)
      if (typeof verdict === 'string') throw new BadToken(verdict)
      return verdict
    },
    isCurrent(principal) {
      const verified = proven.get(principal)
      return verified === undefined || verdictOf(verified) === principal
    },
    onChange: (listener) => states.onChange(listener),
  }

  /** The same object as before if nothing changed for this user, so that gates go on with what they know of it. */
  function remember(verified: Principal, now: Admitted): Admitted {
    const before = admitted.get(verified)?.verdict
    const kept = isSame(before, now.verdict) ? { ...now, verdict: before as Principal } : now
    admitted.set(verified, kept)
    if (typeof kept.verdict === 'object') proven.set(kept.verdict, verified)
    return kept
  }
}

const isSame = (before: Principal | string | undefined, now: Principal | string): boolean =>
  typeof before === 'object' &&
  typeof now === 'object' &&
  before.profile === now.profile &&
  before.scopes?.join(' ') === now.scopes?.join(' ')

function judge({ scopes = [], claims = {} }: Principal, states: UserStates, root: string): Principal | string {
  const { sub, aud, iat, grant } = claims
  const user = typeof sub === 'string' ? states.active(sub) : undefined
  // A fixed text: a token that was signed for another ledger must not reveal whether there is such a user.
  if (user === undefined) return 'The user of the token may not sign in any more'
  if (typeof iat !== 'number' || iat < Math.floor(user.tokens_after / 1000)) return 'The user has to sign in again'
  if (typeof grant !== 'string' || states.isRevoked(grant)) return 'The sign-in of the token was revoked'
  const bound = profileOf(String(aud), root)
  if (user.profile !== undefined && bound !== undefined && user.profile !== bound)
    return 'The token is for a profile that its user does not have'
  const profile = user.profile ?? bound
  return Object.freeze({
    ...{
      id: principalIdOf(user.name),
      kind: 'bearer' as const,
      scopes: Object.freeze(commonScopes(scopes, user.scopes)),
      claims,
    },
    ...(profile !== undefined && { profile }),
  })
}

function profileOf(audience: string, root: string): string | undefined {
  const path = URL.parse(audience)?.pathname ?? ''
  return isProfilePath(path, root) ? path.slice(`${root}/p/`.length) : undefined
}
