/** `myrmex users scopes|disable|enable|remove NAME`: decisions about a user. */

import { readProfileNames } from '../../host/config/read-host-file.ts'
import { checkedTerms, userView } from '../../host/issuer/user-terms.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { ToolError } from '../../protocol/errors.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal } from '../../serve/secret-terminal.ts'
import { oneLine, paint, print } from '../../serve/terminal.ts'
import { configFile } from './config-file.ts'
import { scopeList } from './scope-list.ts'
import { userText } from './show.ts'

type Flags = LedgerFlags & { json?: boolean }

export async function changeUser(
  name: string,
  list: string | undefined,
  options: Flags & { profile?: string; config?: string },
  open = openSecretTerminal,
): Promise<void> {
  if (list === undefined && options.profile === undefined)
    throw ToolError.of('ValidationError', `Say what ${name} may use: npx myrmex users scopes ${name} 'github.*'`)
  const profile = options.profile === '' ? null : options.profile
  const profiles = typeof profile === 'string' ? await readProfileNames(configFile(options.config)) : []
  const terms = checkedTerms({ scopes: scopeList(list), profile }, profiles)
  await withLedger(options, 'decide', async (ledger) => {
    await ledger.users.require(name)
    await ledger.users.change(name, terms, await cliDecider(ledger, 'to sign this user', open))
    const user = await userView(ledger, name)
    if (options.json) return print(JSON.stringify(user, null, 2))
    print(`${paint('green', 'changed')}  ${userText(user)}`)
  })
}

const DONE = {
  disable: ['disabled', 'all its tokens have ended, and it cannot sign in'],
  enable: ['enabled', 'it can sign in again'],
  remove: ['removed', 'all its tokens have ended, and what it signed in with is gone'],
} as const

export async function decideUser(
  what: keyof typeof DONE,
  name: string,
  options: Flags,
  open = openSecretTerminal,
): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    await ledger.users.require(name)
    const by = what === 'enable' ? await cliDecider(ledger, 'to sign this user', open) : cliOperator()
    await ledger.users[what](name, by)
    const [done, effect] = DONE[what]
    if (options.json)
      return print(JSON.stringify(what === 'remove' ? { removed: name } : await userView(ledger, name), null, 2))
    print(`${paint(what === 'enable' ? 'green' : 'red', done)}  ${oneLine(name)}: ${effect}`)
  })
}
