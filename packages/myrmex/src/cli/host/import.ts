/**
 * `myrmex host import`: finds the servers of the clients on this machine, shows them, and takes over those that are wanted. What a
 * client keeps secret in the open gets a place of its own. The clients' files are only read.
 */
import { dirname, resolve } from 'node:path'
import { withMember } from '../../host/config/edit.ts'
import { readJsonc } from '../../host/config/jsonc.ts'
import { HOST_FILE } from '../../host/config/read.ts'
import type { Vouched } from '../../host/settings.ts'
import { isObject } from '../../protocol/json.ts'
import { print, say } from '../terminal.ts'
import { type Choice, choose } from './choose.ts'
import { foundFiles, type Offer, offersOf, wordOf } from './found.ts'
import { shortPath, thisMachine } from './machine.ts'
import { replaceFile, textIn } from './replace-file.ts'
import { hasOpenSecrets, type SecretsGo, secretsIn, variableOf, withoutSecrets, writeSecrets } from './secrets.ts'
import { show } from './show-found.ts'

export interface ImportOptions {
  from?: string[]
  config?: string
  trust?: Vouched
  secrets?: SecretsGo
  yes?: boolean
}

export async function importServers(options: ImportOptions): Promise<void> {
  const machine = thisMachine()
  const path = options.config ?? HOST_FILE
  const text = await textIn(path)
  const known = await namesIn(text, path)
  const files = await foundFiles(machine, options.from)
  const offers = offersOf(files, new Set())
  show(files, offers, known, machine)
  const fresh = offers.filter(({ name, written }) => !known.has(name) && !known.has(wordOf(written) ?? name))
  if (fresh.length === 0) {
    print(offers.length === 0 ? NOTHING : `All of them are in ${path} already.`)
    return
  }
  const choice = await chosen(fresh, options)
  if (choice === undefined || choice.offers.length === 0) {
    say(choice === undefined ? 'nothing was taken over; --yes takes all of them' : 'nothing was taken over')
    return
  }
  await takeOver(path, text, choice)
}

const NOTHING =
  'No client on this machine has a server. Write myrmex.json yourself, or name a file: npx myrmex host import --from FILE'

function chosen(fresh: readonly Offer[], { yes, secrets, trust }: ImportOptions): Promise<Choice | undefined> | Choice {
  if (yes) return { offers: fresh, secrets: secrets ?? 'files', trust: trust ?? 'none' }
  return choose(fresh, { secrets, trust })
}

/** Throws where our own file is broken: it must not be written over. */
async function namesIn(text: string | undefined, path: string): Promise<ReadonlySet<string>> {
  if (text === undefined || text.trim() === '') return new Set()
  const { value } = await readJsonc(text.replace(/^\ufeff/, ''), path)
  const servers = isObject(value) ? value.mcpServers : undefined
  return new Set(isObject(servers) ? Object.keys(servers).map((name) => wordOf(name) ?? name) : [])
}

async function takeOver(
  path: string,
  before: string | undefined,
  { offers, secrets: go, trust }: Choice,
): Promise<void> {
  const secrets = offers.flatMap(({ name, entry }) => secretsIn(name, entry))
  let text = before ?? '{\n  "mcpServers": {\n  }\n}\n'
  for (const { name, entry } of offers) {
    const own = secrets.filter(({ server }) => server === name)
    const wanted = { ...withoutSecrets(entry, own, go), ...(trust !== 'none' && { trust }) }
    text = (await withMember(text, path, ['mcpServers', name], wanted)).text
  }
  const folder = dirname(resolve(path))
  if (go === 'files' && secrets.length > 0) await writeSecrets(folder, secrets)
  const { backup } = await replaceFile(path, before, text)
  const machine = thisMachine()
  if (backup !== undefined) say(`what was there is kept in ${shortPath(backup, machine)}`)
  print(
    `${offers.length} ${offers.length === 1 ? 'server is' : 'servers are'} in ${path} now: ${offers.map(({ name }) => name).join(', ')}`,
  )
  if (secrets.length > 0) print(SECRETS_ARE[go](secrets.map(variableOf).join(', ')))
  for (const { name } of offers.filter(({ entry }) => hasOpenSecrets(entry)))
    say(`${name} has what looks like a secret in its arguments or its URL; it stands in ${path} as it is`)
  if (trust === 'none') print('Nobody may call their tools before you have looked at them: npx myrmex trust status')
  print('Start the host:           npx myrmex host --http 7350')
  print('Have a client use it:     npx myrmex host install CLIENT')
}

const SECRETS_ARE: Readonly<Record<SecretsGo, (names: string) => string>> = {
  files: (names) => `Secrets are in files of their own below .myrmex/host/secrets, for you alone: ${names}`,
  env: (names) => `Set these in the environment of the host: ${names}`,
  keep: (names) => `Secrets stand in the file itself; do not check it in: ${names}`,
}
