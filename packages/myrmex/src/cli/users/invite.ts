/** `myrmex users invite NAME`: adds a user, or resets what one signs in with, and prints the link for it. */
import { existsSync } from 'node:fs'
import { readSignIn } from '../../host/config/read-host-file.ts'
import { invitationLink, signInOrigin } from '../../host/issuer/origin.ts'
import { checkedExpiry, checkedTerms, requireScopes, userView } from '../../host/issuer/user-terms.ts'
import { assertUserName } from '../../ledger/sign-in/users.ts'
import { ToolError } from '../../protocol/errors.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal } from '../../serve/secret-terminal.ts'
import { oneLine, paint, print, say } from '../../serve/terminal.ts'
import { formatSpan, parseExpiry } from '../time-span.ts'
import { configFile } from './config-file.ts'
import { scopeList } from './scope-list.ts'

export interface InviteOptions extends LedgerFlags {
  scopes?: string
  profile?: string
  displayName?: string
  expires: string
  url?: string
  config?: string
  json?: boolean
}

export async function inviteUser(name: string, options: InviteOptions, open = openSecretTerminal): Promise<void> {
  assertUserName(name)
  const { profile, displayName } = options
  const host = await readHost(options)
  const terms = checkedTerms({ scopes: scopeList(options.scopes), profile, displayName }, host.profiles)
  const expires = checkedExpiry(parseExpiry(options.expires))
  await withLedger(options, 'create', async (ledger) => {
    await requireScopes(ledger, name, terms, "such as --scopes 'github.*'")
    const by = await cliDecider(ledger, 'to sign this user', open)
    const { invitation, code } = await ledger.invitations.create(name, terms, by, expires)
    const link = invitationLink(host.origin, code)
    const user = await userView(ledger, name)
    if (options.json)
      return print(JSON.stringify({ link, invitation: { id: invitation.id, expires_at: expires }, user }, null, 2))
    print(
      `${paint('green', 'invited')}  ${name} may use ${oneLine(user.scopes.join(', '), 500) || 'nothing'}${user.profile === null ? '' : `, profile ${user.profile}`}`,
    )
    say(`send this link to ${name}; it works once, for ${formatSpan(expires - Date.now())}, and is not shown again:`)
    print(link)
  })
}

async function readHost({ url, config }: InviteOptions): Promise<{ origin: string; profiles: readonly string[] }> {
  const path = configFile(config)
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw ToolError.of(
      'ValidationError',
      `${JSON.stringify(url)} is not a URL. Use that of the host, such as http://127.0.0.1:7350.`,
    )
  // Elsewhere than beside the configuration, the URL says which host it is for.
  if (url !== undefined && config === undefined && !existsSync(path))
    return { origin: new URL(url).origin, profiles: [] }
  const { signIn, port, address = '127.0.0.1', profiles } = await readSignIn(path)
  if (url !== undefined) return { origin: new URL(url).origin, profiles }
  if (signIn === undefined)
    throw ToolError.of(
      'ValidationError',
      `Nobody can sign in: ${path} has no host.sign_in. Add to it: "host": { "port": 7350, "sign_in": { "issuer": "embedded" } }`,
    )
  if (signIn.url === undefined && port === undefined)
    throw ToolError.of(
      'ValidationError',
      `${path} has no port. Set "port" of host, or add --url with the URL of the host.`,
    )
  return { origin: signInOrigin(signIn, address, port), profiles }
}
