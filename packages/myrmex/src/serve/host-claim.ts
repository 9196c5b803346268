/**
 * One host at a time listens for a folder. Its claim is a lock of the operating system on a file, so it ends with its process, however
 * that ends, and two hosts that start at the same moment cannot both get it. Hosts on stdio, which clients start, need none: they share
 * the ledger, have no port and no api.json, and write their files atomically.
 */

import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiFile, readApiFile } from '../host/api/api-file.ts'
import { processExists } from '../host/api/process-exists.ts'
import { createOwnFile, makePrivateFolder } from '../ledger/private-folder.ts'
import { ToolError } from '../protocol/errors.ts'

/** The other host writes its address as soon as it listens. */
const ADDRESS_MS = 3000
const POLL_MS = 50
/** SQLITE_BUSY */
const BUSY = 5

/** Returns a function that gives the claim back. Throws UnavailableError, which names the other host. `folder` has its `api.json`. */
export async function claimHostFolder(folder: string): Promise<() => void> {
  makePrivateFolder(folder)
  const path = join(folder, 'host.lock')
  createOwnFile(path)
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const lock: DatabaseSync = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written: the lock alone is the claim.
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== BUSY) throw error
    throw otherHost(folder, await addressOf(folder))
  }
  return () => {
    if (lock.isOpen) lock.close()
  }
}

async function addressOf(folder: string): Promise<ApiFile | undefined> {
  for (const end = performance.now() + ADDRESS_MS; performance.now() < end; await pause(POLL_MS)) {
    const file = await readApiFile(folder)
    // A killed host leaves its file behind.
    if (file !== undefined && processExists(file.pid)) return file
  }
  return undefined
}

function otherHost(folder: string, other: ApiFile | undefined): ToolError {
  const who = other === undefined ? '' : `: process ${other.pid} at ${new URL('/mcp', other.url).href}`
  return ToolError.of(
    'UnavailableError',
    `A host already serves this folder (${folder})${who}. ` +
      'Use that one (npx myrmex host status), end it first, or give this one a state folder of its own with --state FOLDER.',
  )
}
