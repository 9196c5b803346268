/** `myrmex users list` and `show`. */
import { type UserView, userView, userViews } from '../../host/issuer/user-terms.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { factLines, oneLine, padColumns, paint, print, say } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'

type ShowFlags = LedgerFlags & { json?: boolean }

const MAX_SCOPES_SHOWN = 60

export const listUsers = (options: ShowFlags): Promise<void> =>
  withLedger(options, 'read-only', async (ledger) => {
    const users = await userViews(ledger)
    if (options.json) return print(JSON.stringify({ users }, null, 2))
    if (users.length === 0)
      return say("there are no users; to add one: npx myrmex users invite NAME --scopes 'github.*'")
    const rows = users.map((user) => [
      user.name,
      stateOf(user),
      user.profile ?? '',
      oneLine(user.scopes.join(', '), MAX_SCOPES_SHOWN),
    ])
    for (const cells of padColumns([['NAME', 'STATE', 'PROFILE', 'SCOPES'], ...rows], []))
      print(cells.join('  ').trimEnd())
  })

export const showUser = (name: string, options: ShowFlags): Promise<void> =>
  withLedger(options, 'read-only', async (ledger) => {
    const user = await userView(ledger, name)
    print(options.json ? JSON.stringify(user, null, 2) : userText(user))
  })

export function userText(user: UserView): string {
  const {
    name,
    display_name,
    principal,
    scopes,
    profile,
    signs_in_with,
    invitation,
    created_by,
    created_at,
    set_by,
    set_at,
  } = user
  return [
    paint('bold', name),
    ...factLines([
      ['state', stateOf(user)],
      ['name shown', display_name === name ? '' : oneLine(display_name)],
      ['principal', principal],
      ['may use', scopes.length === 0 ? 'nothing' : oneLine(scopes.join(', '))],
      ['profile', profile ?? ''],
      ['signs in with', signs_in_with.join(', ')],
      ['invitation', invitation === null ? '' : `open until ${localTime(invitation.expires_at)}`],
      ['added', `${localTime(created_at)} by ${oneLine(created_by)}`],
      ['decided', `${localTime(set_at)} by ${oneLine(set_by)}`],
    ]),
  ].join('\n')
}

/** One word or two, the most important first. */
function stateOf({ status, signed, signs_in_with, invitation }: UserView): string {
  if (status === 'disabled') return 'disabled'
  if (!signed) return 'not signed'
  if (signs_in_with.length > 0) return 'active'
  return invitation === null ? 'invitation expired' : 'invited'
}
