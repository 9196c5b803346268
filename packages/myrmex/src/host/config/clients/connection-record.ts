/**
 * What is needed to undo the connections of a client, the last one first. A record has digests only: the client's file as it was, with its secrets, is in the
 * backup beside it, and is found there by its digest.
 */
import { readdir, readFile, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { MYRMEX_FOLDER } from '../../../ledger/private-folder.ts'
import { writeFileAtomically } from '../../../ledger/write-file.ts'
import { canonical } from '../../../protocol/canonical.ts'
import { parseJson } from '../../../protocol/json.ts'
import { sha256 } from '../../../tool/hash.ts'
import { decodeText } from '../read-text.ts'

const fields = {
  /** ISO 8601 */
  at: z.string(),
  file: z.string(),
  /** name of the host there */
  as: z.string(),
  /** digest; null: there was no file */
  before: z.string().nullable(),
  after: z.string(),
  /** names in the client's file */
  moved: z.array(z.string()),
  hostFile: z.string(),
  /** entries that were added to myrmex.json, by name */
  added: z.record(z.string(), z.string()),
}
const ConnectionRecord = z.object({ ...fields, earlier: z.array(z.object(fields)).default([]) })
export type ConnectionRecord = z.infer<typeof ConnectionRecord>

export const entryDigest = (entry: unknown): string => sha256(canonical(entry))

/** The text of the backup that `replaceFile` made of the file when it had this digest. */
export async function findBackup(file: string, digest: string): Promise<string | undefined> {
  const path = await realpath(file).catch(() => file)
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.sort().reverse()) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.backup')) continue
    const bytes = await readFile(join(folder, name)).catch(() => undefined)
    const text = bytes === undefined ? undefined : decodeText(bytes).text
    if (text !== undefined && sha256(text) === digest) return text
  }
  return undefined
}

const MAX_EARLIER = 50
const CLIENT_ID = /^[a-z-]{1,40}$/

/** Beside the configuration, because an undo edits it. */
function pathOf(hostFile: string, client: string): string {
  if (!CLIENT_ID.test(client)) throw new RangeError(`${client} is not the id of a client`)
  return join(dirname(resolve(hostFile)), MYRMEX_FOLDER, 'host', 'clients', `${client}.json`)
}

const write = (hostFile: string, client: string, record: ConnectionRecord): Promise<void> =>
  writeFileAtomically(pathOf(hostFile, client), `${JSON.stringify(record, null, 2)}\n`)

/** Before a connection is made. */
export async function addRecord(
  hostFile: string,
  client: string,
  record: Omit<ConnectionRecord, 'earlier'>,
): Promise<void> {
  const { earlier = [], ...last } = (await readRecord(hostFile, client)) ?? {}
  if (!('file' in last)) return write(hostFile, client, { ...record, earlier: [] })
  if (last.file !== record.file || last.before !== record.before)
    return write(hostFile, client, { ...record, earlier: [...earlier, last].slice(-MAX_EARLIER) })
  // The file is as it was before the last connection, which was killed, or was taken back by hand.
  const moved = [...new Set([...last.moved, ...record.moved])]
  return write(hostFile, client, { ...record, moved, added: { ...last.added, ...record.added }, earlier })
}

/** Undefined if there is nothing to undo. */
export async function readRecord(hostFile: string, client: string): Promise<ConnectionRecord | undefined> {
  const text = await readFile(pathOf(hostFile, client), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  return ConnectionRecord.safeParse(parseJson(text)).data
}

/** The one before it becomes the last. */
export async function removeRecord(hostFile: string, client: string, { earlier }: ConnectionRecord): Promise<void> {
  const last = earlier.at(-1)
  if (last === undefined) return rm(pathOf(hostFile, client), { force: true })
  return write(hostFile, client, { ...last, earlier: earlier.slice(0, -1) })
}
