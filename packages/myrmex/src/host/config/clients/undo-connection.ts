/**
 * Undoes the last connection of a client. A file that nobody changed since is put back byte for byte. In one that changed, the servers
 * that were moved come back and the host goes, and what else changed stays. Afterwards the servers that the connection added are taken
 * out of myrmex.json with their secrets, unless they were changed there. A server is in at least one of the two files at every moment.
 */

import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { ToolError } from '../../../protocol/errors.ts'
import { type JsonObject, valueAtPath } from '../../../protocol/json.ts'
import { sha256 } from '../../../tool/hash.ts'
import { configuredServers, removeServers } from '../edit-host-file.ts'
import { readTextFile } from '../read-text.ts'
import { replaceFile } from '../replace-file.ts'
import { secretFilesOf } from '../secrets/moved-secrets.ts'
import { setClientEntry } from './client-file.ts'
import { parseClientText, serverBlock } from './client-servers.ts'
import { isHostEntry } from './connect-client.ts'
import { type ConnectionRecord, entryDigest, findBackup, readRecord, removeRecord } from './connection-record.ts'
import { hiddenValues } from './hidden-values.ts'
import type { Client, ClientFile, Machine } from './known-clients.ts'

export interface UndonePlan {
  readonly client: Client
  readonly file: ClientFile
  readonly record: ConnectionRecord
  /** what the client's file is, and would be; undefined: there is none */
  readonly before: string | undefined
  readonly text: string | undefined
  /** the file changed since: what was moved is merged into it */
  readonly isMerged: boolean
  /** servers that go from myrmex.json, and those that stay because they were changed there */
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  /** values that must not be shown */
  readonly secrets: readonly string[]
}

const MAX_BYTES = 64 * 1024 * 1024

/** Throws ResourceNotFound if there is nothing to undo. */
export async function planUndo(client: Client, machine: Machine, hostFile: string): Promise<UndonePlan> {
  const record = await readRecord(hostFile, client.id)
  if (record === undefined)
    throw ToolError.of(
      'ResourceNotFound',
      `Nothing to undo: the host was not installed in ${client.title} from this folder.`,
    )
  const file = client.files(machine).find(({ path }) => path === record.file)
  // A file that --file named.
  const [first] = client.files(machine)
  const place: ClientFile = file ?? { block: [], ...first, path: record.file, scope: 'user' }
  const before = await readTextFile(record.file, MAX_BYTES)
  const original = record.before === null ? undefined : await originalText(record.file, record.before, before)
  const now = before === undefined ? null : sha256(before)
  const isMerged = now !== record.after && now !== record.before
  const text = isMerged ? await merged(before ?? '', original, place, record) : original
  const known = await configuredServers(hostFile)
  const names = Object.keys(record.added).filter((name) => known.has(name))
  const removed = names.filter((name) => entryDigest(known.get(name)?.entry) === record.added[name])
  return {
    client,
    file: place,
    record,
    before,
    text,
    isMerged,
    removed,
    kept: names.filter((name) => !removed.includes(name)),
    secrets: [...(await hiddenValues(before, place)), ...(await hiddenValues(text, place))],
  }
}

/** Returns the path of the backup of the client's file. */
export async function applyUndo(plan: UndonePlan, hostFile: string): Promise<string | undefined> {
  const { client, file, record, before, text, removed } = plan
  let backup: string | undefined
  if (text === undefined) await removeFile(file.path, before)
  else if (text !== before) backup = await replaceFile(file.path, before, text)
  if (removed.length > 0) {
    const known = await configuredServers(hostFile)
    const entries = removed.map((name) => known.get(name)?.entry)
    await removeServers(hostFile, removed)
    await removeSecrets(hostFile, entries, text ?? '')
  }
  await removeRecord(hostFile, client.id, record)
  return backup
}

/** Only those that the client's file has again, and that nothing else in myrmex.json may need. */
async function removeSecrets(hostFile: string, entries: readonly unknown[], clientText: string): Promise<void> {
  const rest = (await readTextFile(hostFile, MAX_BYTES)) ?? ''
  for (const path of secretFilesOf(dirname(resolve(hostFile)), entries)) {
    const value = await readFile(path, 'utf8').catch(() => '')
    // One that was changed there since is the only copy.
    if (value.trim() !== '' && clientText.includes(value.trim()) && !rest.includes(basename(path))) await rm(path)
  }
}

/** There was none before the connection. */
async function removeFile(path: string, before: string | undefined): Promise<void> {
  if (before === undefined) return
  if ((await readTextFile(path, MAX_BYTES)) !== before)
    throw ToolError.of(
      'ConflictError',
      `${path} was changed by another program in the meantime; nothing was written. Try again.`,
    )
  await rm(path)
}

/** The connection may have ended before it wrote the file. */
async function originalText(path: string, digest: string, now: string | undefined): Promise<string> {
  if (now !== undefined && sha256(now) === digest) return now
  const text = await findBackup(path, digest)
  if (text !== undefined) return text
  throw ToolError.of(
    'FileNotFoundError',
    `The backup of ${path} from before the host was installed is not beside it any more, so it cannot be restored. Nothing was changed.`,
  )
}

/** The client's own words for the servers that were moved, put into the file as it is now. */
async function merged(
  text: string,
  before: string | undefined,
  file: ClientFile,
  { moved, as }: ConnectionRecord,
): Promise<string> {
  const servers = serverBlock(await parseClientText(before ?? '{}', file.path, file.format), file.block)
  const now = text.trim() === '' ? {} : serverBlock(await parseClientText(text, file.path, file.format), file.block)
  const original = (name: string): unknown => valueAtPath(servers, [name])
  const current = (name: string): unknown => valueAtPath(now, [name])
  let result = text
  for (const name of moved) {
    // One that was added again by hand is newer.
    if (current(name) !== undefined || original(name) === undefined) continue
    result = (await setClientEntry(result, file, name, original(name) as JsonObject)).text
  }
  if (!isHostEntry(current(as))) return result
  return (await setClientEntry(result, file, as, original(as) as JsonObject | undefined)).text
}
