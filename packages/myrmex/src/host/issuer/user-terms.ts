/** What the operator says about a user, checked, and what is known of one: for the command line and the API. */
import type { Ledger } from '../../ledger/ledger.ts'
import { MAX_INVITATION_MS } from '../../ledger/sign-in/invitations.ts'
import { principalIdOf, type User, type UserTerms } from '../../ledger/sign-in/users.ts'
import { toolPattern } from '../../pipeline/rules/operator-schema.ts'
import { ToolError } from '../../protocol/errors.ts'
import { requireProfile } from '../profiles/require-profile.ts'

const MAX_SCOPES = 200
const MAX_NAME = 100

export interface RequestedUserTerms {
  readonly scopes?: readonly string[] | undefined
  readonly displayName?: string | undefined
  /** null: no profile */
  readonly profile?: string | null | undefined
}

/** `profiles`: the names of those that there are. Throws ValidationError. */
export function checkedTerms(
  { scopes, displayName, profile }: RequestedUserTerms,
  profiles: readonly string[],
): UserTerms {
  if (scopes !== undefined) {
    const pattern = toolPattern()
    const wrong = scopes.find((scope) => !pattern.safeParse(scope).success)
    if (wrong !== undefined)
      throw invalid(
        `${JSON.stringify(wrong.slice(0, 100))} is not a scope. Use a tool (github.create_issue), all of a server (github.*), its resources ` +
          '(resource:github) or everything (*).',
      )
    if (scopes.length > MAX_SCOPES) throw invalid(`A user can have ${MAX_SCOPES} scopes, not ${scopes.length}.`)
  }
  if (
    displayName !== undefined &&
    (displayName.trim() === '' || displayName.length > MAX_NAME || /\p{C}/u.test(displayName))
  )
    throw invalid(`The name to show must have 1 to ${MAX_NAME} visible characters.`)
  if (typeof profile === 'string') requireProfile(profile, profiles)
  return { scopes, displayName: displayName?.trim(), profile }
}

/** Throws ValidationError. */
export function checkedExpiry(at: number, now: number = Date.now()): number {
  if (at > now && at <= now + MAX_INVITATION_MS) return at
  throw invalid(at > now ? 'An invitation lasts at most 30 days.' : 'The invitation would have expired already.')
}

const invalid = (message: string): ToolError => ToolError.of('ValidationError', message)

/** A new user without scopes could do nothing, which nobody means. */
export async function requireScopes(ledger: Ledger, name: string, { scopes }: UserTerms, hint: string): Promise<void> {
  const known = await ledger.users.find(name)
  if (known !== undefined || (scopes ?? []).length > 0) return
  throw invalid(`${name} is a new user: say what it may use, ${hint}.`)
}

export interface UserView {
  readonly name: string
  readonly display_name: string
  /** as in audit records, grants and rules */
  readonly principal: string
  readonly scopes: string[]
  readonly profile: string | null
  readonly status: 'active' | 'disabled'
  /** in a locked ledger: whether the operator has signed it; without that the user cannot sign in */
  readonly signed: boolean
  readonly signs_in_with: ('passphrase' | 'passkey')[]
  readonly invitation: { readonly id: string; readonly expires_at: number } | null
  readonly created_by: string
  readonly created_at: number
  readonly set_by: string
  readonly set_at: number
}

export async function userViews(ledger: Ledger): Promise<UserView[]> {
  const [users, kinds, invitations] = await Promise.all([
    ledger.users.list(),
    ledger.credentials.kinds(),
    ledger.invitations.list(),
  ])
  const now = Date.now()
  return users.map((user) => {
    const open = invitations.find(
      ({ user_name, used_at, expires_at }) => user_name === user.name && used_at === null && expires_at > now,
    )
    return {
      ...viewOf(user),
      signs_in_with: [...new Set(kinds.filter(({ user_name }) => user_name === user.name).map(({ kind }) => kind))],
      invitation: open === undefined ? null : { id: open.id, expires_at: Number(open.expires_at) },
    }
  })
}

export async function userView(ledger: Ledger, name: string): Promise<UserView> {
  await ledger.users.require(name)
  return (await userViews(ledger)).find((one) => one.name === name) as UserView
}

const viewOf = ({
  name,
  displayName,
  scopes,
  profile,
  status,
  isSigned,
  created_by,
  created_at,
  set_by,
  set_at,
}: User) => ({
  ...{ name, display_name: displayName, principal: principalIdOf(name), scopes: [...scopes], profile: profile ?? null },
  ...{ status: status === 'active' ? ('active' as const) : ('disabled' as const), signed: isSigned },
  ...{ created_by, created_at: Number(created_at), set_by, set_at: Number(set_at) },
})
