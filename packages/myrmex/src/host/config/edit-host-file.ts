/**
 * Adds, removes and switches servers in myrmex.json, for the command line and the API. Comments and everything else stay. The file that
 * would result is checked first: one with errors is never written, and one that has errors already is not touched. A backup is kept.
 */
import { dirname, resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject, pointer } from '../../protocol/json.ts'
import { didYouMean, plural } from '../../protocol/text.ts'
import { nearest } from '../../tool/nearest.ts'
import type { ConfiguredTrust } from '../settings.ts'
import { setMember } from './jsonc/edit-jsonc.ts'
import { readJsonc } from './jsonc/read-jsonc.ts'
import { checkHostText } from './read-host-file.ts'
import { readTextFile } from './read-text.ts'
import { replaceFile } from './replace-file.ts'
import {
  findSecrets,
  hasInlineSecrets,
  placeSecrets,
  replaceSecrets,
  type SecretStorage,
  type StoredSecret,
  writeSecrets,
} from './secrets/moved-secrets.ts'
import { validServerName } from './server-name.ts'

const MAX_BYTES = 4 * 1024 * 1024
const EMPTY = '{\n  "mcpServers": {\n  }\n}\n'
const BLOCK = 'mcpServers'

export interface NewServer {
  readonly name: string
  readonly entry: JsonObject
}

export interface AddOptions {
  readonly secrets: SecretStorage
  readonly trust: ConfiguredTrust
}

/** What the file would be. */
export interface HostFileEdit {
  readonly path: string
  /** undefined: there is no file yet */
  readonly before: string | undefined
  readonly text: string
  /** entries as they are written, by name */
  readonly added: Readonly<Record<string, JsonObject>>
  /** moved out of the entries, or left in them with `keep` */
  readonly secrets: readonly StoredSecret[]
  readonly storage: SecretStorage
  /** servers with what looks like a secret in an argument or a URL */
  readonly inline: readonly string[]
}

/** Names in the file, as the host has them, with the names as they are written. Empty if there is no file. */
export async function configuredServers(
  path: string,
): Promise<ReadonlyMap<string, { written: string; entry: unknown }>> {
  return serversIn(await readTextFile(path, MAX_BYTES), path)
}

async function serversIn(text: string | undefined, path: string) {
  const found = new Map<string, { written: string; entry: unknown }>()
  if (text === undefined || text.trim() === '') return found
  const { value } = await readJsonc(text, path)
  const servers = isObject(value) ? value[BLOCK] : undefined
  for (const [written, entry] of Object.entries(isObject(servers) ? servers : {})) {
    found.set(hostName(written), { written, entry })
  }
  return found
}

/** Throws ValidationError with the location of every error. */
export async function planAdding(
  path: string,
  servers: readonly NewServer[],
  { secrets: storage, trust }: AddOptions,
): Promise<HostFileEdit> {
  const before = await readTextFile(path, MAX_BYTES)
  const known = await serversIn(before, path)
  const found = servers.flatMap(({ name, entry }) => findSecrets(name, entry))
  const entries = [...known.values()].map(({ entry }) => entry)
  const secrets = await placeSecrets(dirname(resolve(path)), found, entries)
  let text = before === undefined || before.trim() === '' ? EMPTY : before
  const added: Record<string, JsonObject> = {}
  for (const { name, entry } of servers) {
    const taken = known.get(hostName(name))
    if (taken !== undefined)
      throw ToolError.of(
        'ConflictError',
        `${path} already has a server ${JSON.stringify(taken.written)}. Choose another name.`,
      )
    const own = secrets.filter(({ server }) => server === name)
    const wanted = { ...replaceSecrets(entry, own, storage), ...(trust !== 'none' && { trust }) }
    text = (await setMember(text, path, [BLOCK, name], wanted)).text
    added[name] = wanted
  }
  await checkHostText(text, path)
  const inline = servers.filter(({ entry }) => hasInlineSecrets(entry)).map(({ name }) => name)
  return { path, before, text, added, secrets, storage, inline }
}

/** Returns the path of the backup, if there was a file. Secrets are written first: the file names theirs. */
export async function applyEdit({ path, before, text, secrets, storage }: HostFileEdit): Promise<string | undefined> {
  if (text === before) return undefined
  if (storage === 'files' && secrets.length > 0) await writeSecrets(dirname(resolve(path)), secrets)
  return replaceFile(path, before, text)
}

/** Returns the path of the backup. */
export async function removeServers(path: string, names: readonly string[]): Promise<string | undefined> {
  return changeServers(path, names, () => undefined)
}

/** Returns the path of the backup; undefined if nothing had to change. */
export async function switchServer(path: string, name: string, isEnabled: boolean): Promise<string | undefined> {
  return changeServers(path, [name], (entry) => {
    // `enabled` is another spelling.
    const { disabled: _, enabled: __, ...rest } = entry
    return isEnabled ? rest : { ...rest, disabled: true }
  })
}

/** Sets what `tools` of a server says of these patterns. Returns the path of the backup; undefined if nothing had to change. */
export async function setToolSettings(
  path: string,
  server: string,
  tools: Readonly<Record<string, JsonObject>>,
): Promise<string | undefined> {
  return editServers(path, [server], async (text, steps) => {
    let edited = text
    for (const [pattern, settings] of Object.entries(tools))
      edited = (await setMember(edited, path, [...steps, 'tools', pattern], settings)).text
    return edited
  })
}

async function changeServers(
  path: string,
  names: readonly string[],
  change: (entry: JsonObject) => JsonObject | undefined,
): Promise<string | undefined> {
  return editServers(
    path,
    names,
    async (text, steps, entry) => (await setMember(text, path, steps, change(entry))).text,
  )
}

async function editServers(
  path: string,
  names: readonly string[],
  edit: (text: string, steps: readonly string[], entry: JsonObject) => Promise<string>,
): Promise<string | undefined> {
  const before = await readTextFile(path, MAX_BYTES)
  if (before === undefined) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
  const known = await serversIn(before, path)
  let text = before
  for (const name of names) {
    const found = known.get(hostName(name))
    if (found === undefined) throw unknownServer(path, name, [...known.keys()])
    text = await edit(text, [BLOCK, found.written], found.entry as JsonObject)
  }
  if (text === before) return undefined
  await checkHostText(text, path)
  return replaceFile(path, before, text)
}

/** The name of a server in the host. One that cannot be used is refused when the text is checked. */
export const hostName = (written: string): string => validServerName(written) ?? written

function unknownServer(path: string, name: string, known: readonly string[]): ToolError {
  const hint =
    didYouMean(nearest(name, known)) || ` It has ${plural(known.length, 'server')}: ${known.join(', ') || 'none'}.`
  return ToolError.of('ResourceNotFound', `${path} has no server ${JSON.stringify(name)}.${hint}`, {
    issues: [{ path: pointer([BLOCK, name]), message: 'does not exist' }],
  })
}
