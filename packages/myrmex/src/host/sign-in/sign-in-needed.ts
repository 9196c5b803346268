/** The errors of a server that needs a sign-in, worded for callers. A caller cannot sign in: the operator does. */
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { AuthSettings } from '../settings.ts'

const KEY = 'sign_in'

export interface NeededSignIn {
  readonly server: string
  /** the caller whose account is missing; '' for the account of all callers */
  readonly principal: string
  readonly reason: string
  readonly command: string
}

export const loginCommand = (server: string, principal = ''): string =>
  `npx myrmex host login ${server}${principal === '' ? '' : ` --for ${JSON.stringify(principal)}`}`

export function signInNeeded({ server, principal, reason, command }: NeededSignIn): ToolError {
  const whose = principal === '' ? '' : ` for ${principal}`
  const what = `Nothing ran on the server. The operator of this host signs in with: ${command}`
  return ToolError.of('PermissionError', `${server} needs a sign-in${whose} (${reason}). ${what}`, {
    server,
    [KEY]: 'needed',
    ...(principal !== '' && { principal }),
    command,
  })
}

type ScopeWay = 'login' | 'scopes and login' | 'scopes'

/** How a sign-in gets another scope: the next login asks for it, unless the configuration says what to ask for. */
export function scopeWayOf(auth: AuthSettings | undefined): ScopeWay {
  if (auth?.grant === 'client_credentials') return 'scopes'
  return auth?.scopes === undefined ? 'login' : 'scopes and login'
}

const SCOPE_WAYS: Record<ScopeWay, (server: string, command: string) => string> = {
  login: (_server, command) => `signs in again, with that scope, with: ${command}`,
  'scopes and login': (server, command) =>
    `adds it to auth.scopes of ${server} in myrmex.json, and then signs in again with: ${command}`,
  scopes: (server) => `adds it to auth.scopes of ${server} in myrmex.json.`,
}

/** The sign-in holds, and does not cover this request. */
export const scopeNeeded = (
  { server, principal, command, auth }: Omit<NeededSignIn, 'reason'> & { readonly auth: AuthSettings | undefined },
  scope: string | undefined,
): ToolError =>
  ToolError.of(
    'PermissionError',
    `${server} refuses this: the sign-in does not cover ${scope === undefined ? 'it' : `the scope ${JSON.stringify(scope)}`}. ` +
      `The operator of this host ${SCOPE_WAYS[scopeWayOf(auth)](server, command)}`,
    {
      server,
      [KEY]: 'insufficient_scope',
      ...(principal !== '' && { principal }),
      ...(scope !== undefined && { missing_scope: scope }),
      command,
    },
  )

/**
 * Whether the connection of this account needs a sign-in; `''` is the account that all callers share. One caller without an account is
 * nothing to the connections of others.
 */
export const isSignInNeeded = (thrown: unknown, principal = ''): thrown is ToolError =>
  kindOfSignIn(thrown, principal) === 'needed'
export const isScopeNeeded = (thrown: unknown, principal = ''): thrown is ToolError =>
  kindOfSignIn(thrown, principal) === 'insufficient_scope'

function kindOfSignIn(thrown: unknown, principal: string): unknown {
  const details = thrown instanceof ToolError ? thrown.error_details : undefined
  return isObject(details) && (details.principal ?? '') === principal ? details[KEY] : undefined
}
