/**
 * Connects a client to the host: writes the host into the client's file, and with take-over moves the client's other servers behind it.
 *
 * 1. `planConnection` reads everything and decides, and writes nothing. Its result is also the preview.
 * 2. `applyConnection` writes the servers into myrmex.json, then the record for the undo, and the client's file last. So at every moment
 *    each server is in at least one of the two files.
 * 3. `undoConnection` (undo-connection.ts) puts the client's file back first.
 */

import { existsSync } from 'node:fs'
import { ToolError } from '../../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import { sha256 } from '../../../tool/hash.ts'
import type { ConfiguredTrust } from '../../settings.ts'
import { applyEdit, configuredServers, type HostFileEdit, planAdding } from '../edit-host-file.ts'
import { readTextFile } from '../read-text.ts'
import { replaceFile } from '../replace-file.ts'
import type { SecretStorage } from '../secrets/moved-secrets.ts'
import { validServerName } from '../server-name.ts'
import { startsHost } from './client-entry.ts'
import { setClientEntry } from './client-file.ts'
import { readClientServers } from './client-servers.ts'
import { addRecord, entryDigest } from './connection-record.ts'
import { hiddenValues } from './hidden-values.ts'
import { type ImportCandidate, importCandidates } from './import-candidates.ts'
import { CLIENTS, type Client, type ClientFile } from './known-clients.ts'
import { baseFolder, entryFor } from './relocate.ts'
import { isSameServer } from './same-server.ts'

export interface ConnectionOptions {
  readonly client: Client
  readonly file: ClientFile
  /** name of the host in the client's file */
  readonly as: string
  /** undefined: the host is removed */
  readonly entry: JsonObject | undefined
  /** moves the client's other servers behind the host */
  readonly takeOver?: {
    readonly secrets: SecretStorage
    readonly trust: ConfiguredTrust
  }
  /** myrmex.json and its folder */
  readonly hostFile: string
  readonly folder: string
}

export interface ConnectionPlan {
  readonly options: ConnectionOptions
  /** undefined: there is no file yet */
  readonly before: string | undefined
  /** the text of the client's file */
  readonly text: string
  /** what goes into myrmex.json */
  readonly hostEdit: HostFileEdit | undefined
  /** servers that move, with their names in the host */
  readonly moved: readonly MovedServer[]
  /** servers of the client that stay, and why */
  readonly left: readonly { readonly name: string; readonly why: string }[]
  /** values that must not be shown */
  readonly secrets: readonly string[]
}

export interface MovedServer {
  readonly originalName: string
  readonly name: string
  readonly isNew: boolean
  /** fields that were skipped */
  readonly notes: readonly string[]
}

const MAX_BYTES = 64 * 1024 * 1024

/** Throws ConflictError if the name belongs to a server that is not this host. */
export async function planConnection(options: ConnectionOptions): Promise<ConnectionPlan> {
  const { client, file, as, entry, takeOver, hostFile } = options
  const before = await readTextFile(file.path, MAX_BYTES)
  const first = await setClientEntry(before ?? '', file, as, entry)
  refuseOtherServer(first.before, options)
  const secrets = await hiddenValues(before, file)
  const plain = { options, before, text: first.text, hostEdit: undefined, moved: [], left: [], secrets }
  if (takeOver === undefined || before === undefined) {
    requireHostFile(options)
    return plain
  }
  const all = (await readClientServers(file.path, file.block, file.format)) ?? []
  const others = all.filter(({ name }) => name !== as)
  const movable = others.filter((one) => one.entry !== undefined)
  const left = others.flatMap(({ name, entry: own, notes }) =>
    own === undefined ? [{ name, why: notes.join('; ') }] : [],
  )
  const known = await configuredServers(hostFile)
  const base = baseFolder(file.path)
  const there = new Map<string, string>()
  for (const { name, entry: own } of movable) {
    const same = await nameOfSame(known, name, entryFor(own as JsonObject, base, options.folder), options.folder)
    if (same !== undefined) there.set(name, same)
  }
  const fresh = movable.filter(({ name }) => !there.has(name))
  const candidates = importCandidates(
    [{ client: client.title, id: client.id, path: file.path, servers: fresh, base }],
    new Set(known.keys()),
    options.folder,
  )
  const nameOf = (originalName: string): string =>
    there.get(originalName) ??
    candidates.find((one) => one.originalName === originalName)?.name ??
    validServerName(originalName) ??
    originalName
  if (candidates.length === 0) requireHostFile(options)
  let text = before
  for (const { name } of movable) text = (await setClientEntry(text, file, name, undefined)).text
  text = (await setClientEntry(text, file, as, entry)).text
  return {
    ...plain,
    text,
    hostEdit: candidates.length === 0 ? undefined : await planAdding(hostFile, candidates.map(newServer), takeOver),
    moved: movable.map(({ name, notes }) => ({
      originalName: name,
      name: nameOf(name),
      isNew: !there.has(name),
      notes: there.has(name) ? [] : notes,
    })),
    left,
  }
}

/** A host that a client starts needs its configuration. A take-over writes it. */
function requireHostFile({ entry, hostFile }: ConnectionOptions): void {
  if (entry === undefined || !startsHost(entry) || existsSync(hostFile)) return
  throw ToolError.of(
    'FileNotFoundError',
    `${hostFile} does not exist. Write it first, or import your servers: npx myrmex host import`,
  )
}

const newServer = ({ name, entry }: ImportCandidate) => ({ name, entry })

/** Of a server that an earlier import moved behind the host. If its own name was taken, that of its client was appended. */
async function nameOfSame(
  known: ReadonlyMap<string, { entry: unknown }>,
  originalName: string,
  entry: JsonObject,
  folder: string,
): Promise<string | undefined> {
  const own = validServerName(originalName) ?? 'server'
  for (const [name, one] of known) {
    if ((name === own || name.startsWith(`${own}_`)) && (await isSameServer(one.entry, entry, folder))) return name
  }
  return undefined
}

export interface AppliedConnection {
  /** paths of the backups */
  readonly clientBackup: string | undefined
  readonly hostBackup: string | undefined
}

export async function applyConnection(plan: ConnectionPlan): Promise<AppliedConnection> {
  const { options, before, text, hostEdit, moved } = plan
  const { client, file, as } = options
  const hostBackup = hostEdit && (await applyEdit(hostEdit))
  if (text === before) return { clientBackup: undefined, hostBackup }
  await addRecord(options.hostFile, client.id, {
    at: new Date().toISOString(),
    ...{ file: file.path, as, before: before === undefined ? null : sha256(before), after: sha256(text) },
    moved: moved.map(({ originalName }) => originalName),
    hostFile: options.hostFile,
    added: Object.fromEntries(Object.entries(hostEdit?.added ?? {}).map(([name, own]) => [name, entryDigest(own)])),
  })
  return { clientBackup: await replaceFile(file.path, before, text), hostBackup }
}

/** The name may belong to a server that is not this host. */
function refuseOtherServer(before: unknown, { client, file, as, entry }: ConnectionOptions): void {
  if (before === undefined || isHostEntry(before)) return
  const instead = entry === undefined ? 'remove it by hand' : 'choose another name with --as'
  throw ToolError.of(
    'ConflictError',
    `${client.title} (${file.path}) has a server ${as} that is not this host; ${instead}. Nothing was changed.`,
  )
}

export function isHostEntry(entry: unknown): boolean {
  if (!isObject(entry)) return false
  if (startsHost(entry)) return true
  const { url, serverUrl, httpUrl, uri } = entry
  const reached = url ?? serverUrl ?? httpUrl ?? uri
  return typeof reached === 'string' && /\/mcp\/?$/.test(reached) && isBareUrlEntry(entry)
}

/** An entry with a URL that we wrote has only the keys that the client needs for one. */
const isBareUrlEntry = (entry: Record<string, unknown>): boolean =>
  CLIENTS.some((client) => {
    const keys = Object.keys(client.urlEntry('http://127.0.0.1/mcp') ?? {})
    return keys.length > 0 && keys.length === Object.keys(entry).length && keys.every((key) => key in entry)
  })
