/**
 * The folders that this user's Myrmex knows: those in which it started with nothing, and those that the user trusted. A file for each
 * folder and for each ledger in it, in the user's configuration folder, for the user alone. No two processes write the same file with
 * different texts. A folder is known by its path, and a ledger by the id of its key, so that a copy, or another ledger in the same place,
 * is not known.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isOwnFile } from '../ledger/private-folder.ts'
import { userFolder } from '../ledger/user-folders.ts'
import { writeFileAtomically } from '../ledger/write-file.ts'
import { crypto } from '../protocol/builtin.ts'
import { isObject, parseJson } from '../protocol/json.ts'

export interface KnownFolder {
  readonly path: string
  /** created: there was nothing of Myrmex in it before */
  readonly how: 'created' | 'trusted'
  /** where its `.myrmex` led when it was trusted, if that was a link */
  readonly state?: string
  readonly since: string
}

export interface KnownLedger {
  readonly path: string
  /** the id of its key */
  readonly key?: string
  /** its folder while it is created, so that a killed process does not leave a ledger that nobody knows */
  readonly creating?: string
}

/** Undefined if this user has no configuration folder. */
export function registryFolder(): string | undefined {
  const own = userFolder('config')
  return own === undefined ? undefined : join(own, 'folders')
}

const hashOf = (path: string): string => crypto.hash('sha256', path, 'hex').slice(0, 32)
const folderFile = (folder: string): string => `${hashOf(folder)}.json`
const ledgerFile = (folder: string, ledger: string): string => `${hashOf(folder)}-${hashOf(ledger)}.json`

export function knownFolder(path: string): KnownFolder | undefined {
  const entry = readEntry(folderFile(path))
  return isFolder(entry) && entry.path === path ? entry : undefined
}

/** The ledger at that path, in that folder. */
export function knownLedger(folder: string, path: string): KnownLedger | undefined {
  const entry = readEntry(ledgerFile(folder, path))
  return isObject(entry) && entry.path === path ? (entry as unknown as KnownLedger) : undefined
}

/** In the order of their paths. */
export const knownFolders = (): KnownFolder[] =>
  entryNames()
    .map(readEntry)
    .filter(isFolder)
    .sort((a, b) => (a.path < b.path ? -1 : 1))

/** Throws if it cannot be written. */
export const writeKnownFolder = (entry: KnownFolder): Promise<void> => writeEntry(folderFile(entry.path), entry)

/** Throws if it cannot be written. */
export const writeKnownLedger = (folder: string, entry: KnownLedger): Promise<void> =>
  writeEntry(ledgerFile(folder, entry.path), entry)

/** Forgets its ledgers too. Returns whether it was known. */
export function forgetFolder(path: string): boolean {
  const registry = registryFolder()
  if (registry === undefined || knownFolder(path) === undefined) return false
  for (const name of entryNames()) if (name.startsWith(hashOf(path))) rmSync(join(registry, name), { force: true })
  return true
}

async function writeEntry(name: string, entry: object): Promise<void> {
  const registry = registryFolder()
  if (registry === undefined) throw new Error('this user has no home folder')
  await writeFileAtomically(join(registry, name), `${JSON.stringify(entry, null, 2)}\n`)
  if (readEntry(name) === undefined) throw new Error('other users can write there')
}

/** An entry that others can write is none: they would decide what this user believes. */
function readEntry(name: string): unknown {
  const registry = registryFolder()
  if (registry === undefined) return undefined
  const file = join(registry, name)
  try {
    const text = readFileSync(file, 'utf8')
    return isOwnFile(file) ? parseJson(text) : undefined
  } catch {
    return undefined
  }
}

const isFolder = (entry: unknown): entry is KnownFolder =>
  isObject(entry) &&
  typeof entry.path === 'string' &&
  typeof entry.since === 'string' &&
  (entry.how === 'created' || entry.how === 'trusted')

function entryNames(): string[] {
  try {
    return readdirSync(registryFolder() ?? '').filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}
