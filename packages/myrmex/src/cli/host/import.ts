/**
 * `myrmex host import`: finds the servers of the clients on this machine, shows them, and adds the chosen ones to myrmex.json.
 * Secrets are moved to private files or the environment. The clients' files are only read.
 */

import { dirname, resolve } from 'node:path'
import { importCandidates, readClientConfigs, validName } from '../../host/config/clients/import-candidates.ts'
import { shortPath, thisMachine } from '../../host/config/clients/this-machine.ts'
import { setMember } from '../../host/config/jsonc/edit-jsonc.ts'
import { readJsonc } from '../../host/config/jsonc/read-jsonc.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { replaceFile } from '../../host/config/replace-file.ts'
import {
  findSecrets,
  hasInlineSecrets,
  replaceSecrets,
  type SecretStorage,
  variableName,
  writeSecrets,
} from '../../host/config/secrets/moved-secrets.ts'
import type { ConfiguredTrust } from '../../host/settings.ts'
import { isObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { print, say } from '../../serve/terminal.ts'
import { readTextIfPresent } from '../read-text.ts'
import { chooseServers, type ImportChoice } from './choose-servers.ts'
import { showCandidates } from './show-candidates.ts'

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
  const text = await readTextIfPresent(path)
  const known = await configuredNames(text, path)
  const files = await readClientConfigs(machine, options.from)
  const offers = importCandidates(files, new Set(), dirname(resolve(path)))
  showCandidates(files, offers, known, machine)
  const fresh = offers.filter(
    ({ name, originalName }) => !known.has(name) && !known.has(validName(originalName) ?? name),
  )
  if (fresh.length === 0) {
    print(offers.length === 0 ? NOTHING : `All of them are already in ${path}.`)
    return
  }
  const { yes, secrets = 'files', trust = 'none' } = options
  const choice = yes ? { offers: fresh, secrets, trust } : await chooseServers(fresh, options)
  if (choice === undefined || choice.offers.length === 0) {
    say(choice === undefined ? 'nothing was imported; --yes imports all of them' : 'nothing was imported')
    return
  }
  await importChosen(path, text, choice)
}

const NOTHING =
  'No client on this machine has a server. Write myrmex.json yourself, or import a file: npx myrmex host import --from FILE'

/** Throws if myrmex.json is broken, because it must not be overwritten then. */
async function configuredNames(text: string | undefined, path: string): Promise<ReadonlySet<string>> {
  if (text === undefined || text.trim() === '') return new Set()
  const { value } = await readJsonc(text.replace(/^\ufeff/, ''), path)
  const servers = isObject(value) ? value.mcpServers : undefined
  return new Set(isObject(servers) ? Object.keys(servers).map((name) => validName(name) ?? name) : [])
}

async function importChosen(
  path: string,
  before: string | undefined,
  { offers, secrets: storage, trust }: ImportChoice,
): Promise<void> {
  const secrets = offers.flatMap(({ name, entry }) => findSecrets(name, entry))
  let text = before ?? '{\n  "mcpServers": {\n  }\n}\n'
  for (const { name, entry } of offers) {
    const own = secrets.filter(({ server }) => server === name)
    const wanted = { ...replaceSecrets(entry, own, storage), ...(trust !== 'none' && { trust }) }
    text = (await setMember(text, path, ['mcpServers', name], wanted)).text
  }
  const folder = dirname(resolve(path))
  if (storage === 'files' && secrets.length > 0) await writeSecrets(folder, secrets)
  const backup = await replaceFile(path, before, text)
  const machine = thisMachine()
  if (backup !== undefined) say(`a backup is in ${shortPath(backup, machine)}`)
  print(
    `${plural(offers.length, 'server is', 'servers are')} now in ${path}: ${offers.map(({ name }) => name).join(', ')}`,
  )
  if (secrets.length > 0) print(SECRETS_NOTICE[storage](secrets.map(variableName).join(', ')))
  for (const { name } of offers.filter(({ entry }) => hasInlineSecrets(entry)))
    say(`${name} has what looks like a secret in its arguments or URL, and it is in ${path} unchanged`)
  if (trust === 'none') print('Their tools cannot be called until you trust them: npx myrmex trust status')
  print('Start the host:           npx myrmex host --http 7350')
  print('Make a client use it:     npx myrmex host install CLIENT')
}

const SECRETS_NOTICE: Readonly<Record<SecretStorage, (names: string) => string>> = {
  files: (names) => `Secrets are in private files in .myrmex/host/secrets: ${names}`,
  env: (names) => `Set these in the environment of the host: ${names}`,
  keep: (names) => `Secrets are in the file itself; do not commit it: ${names}`,
}
