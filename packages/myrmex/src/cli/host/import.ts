/**
 * `myrmex host import`: finds the servers of the clients on this machine, shows them, and adds the chosen ones to myrmex.json.
 * Secrets are moved to private files or the environment. The clients' files are only read.
 */

import { dirname, resolve } from 'node:path'
import { findImports } from '../../host/config/clients/find-imports.ts'
import { shortPath, thisMachine } from '../../host/config/clients/this-machine.ts'
import { applyEdit, planAdding } from '../../host/config/edit-host-file.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { SecretStorage } from '../../host/config/secrets/moved-secrets.ts'
import type { ConfiguredTrust } from '../../host/settings.ts'
import { plural } from '../../protocol/text.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { print, say } from '../../serve/terminal.ts'
import { chooseServers, type ImportChoice } from './choose-servers.ts'
import { showCandidates } from './show-candidates.ts'
import { showStored } from './stored-secrets.ts'

export interface ImportOptions {
  from?: string[]
  config?: string
  trust?: ConfiguredTrust
  secrets?: SecretStorage
  yes?: boolean
}

export async function importServers(options: ImportOptions): Promise<void> {
  const machine = thisMachine()
  const path = options.config ?? HOST_FILE
  await requireFolder(dirname(resolve(path)))
  const found = await findImports(machine, path, options.from)
  const { offers, differing, fresh } = found
  showCandidates(found, machine)
  if (fresh.length === 0) {
    print(
      offers.length === 0 ? NOTHING : `${differing.size === 0 ? 'All of them' : 'The others'} are already in ${path}.`,
    )
    return
  }
  const { yes, secrets = 'files', trust = 'none' } = options
  const choice = yes ? { offers: fresh, secrets, trust } : await chooseServers(fresh, options)
  if (choice === undefined || choice.offers.length === 0) {
    say(choice === undefined ? 'nothing was imported; --yes imports all of them' : 'nothing was imported')
    return
  }
  await importChosen(path, choice)
}

const NOTHING =
  'No client on this machine has a server. Write myrmex.json yourself, or import a file: npx myrmex host import --from FILE'

async function importChosen(path: string, { offers, secrets: storage, trust }: ImportChoice): Promise<void> {
  const edit = await planAdding(path, offers, { secrets: storage, trust })
  const backup = await applyEdit(edit)
  const machine = thisMachine()
  if (backup !== undefined) say(`a backup is in ${shortPath(backup, machine)}`)
  print(
    `${plural(offers.length, 'server is', 'servers are')} now in ${path}: ${offers.map(({ name }) => name).join(', ')}`,
  )
  showStored(edit)
  if (trust === 'none') print('Their tools cannot be called until you trust them: npx myrmex trust status')
  print('Start the host:           npx myrmex host --http 7350')
  print('Make a client use it:     npx myrmex host install CLIENT')
}
