/**
 * The last mark that this machine has seen of a ledger, in a file beside the ledger's key: journal, version and operator. Somebody who
 * can write the store, but has no key, can wipe it or put back an older mark that the key has signed. This file still says that the
 * ledger is locked, so it does not open in open mode. It is written when the journal or the operator changes, not for every mark.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import { parseJson } from '../../protocol/json.ts'
import { operatorKeyId, readOperatorKey } from '../operator/operator-key.ts'
import { writeFileAtomically } from '../write-file.ts'
import type { Mark } from './mark.ts'

const schema = z.strictObject({
  journal: z.string(),
  version: z.int(),
  /** the public key of the operator; absent in open mode */
  operator: z.string().optional(),
})

export type NotedMark = Readonly<z.output<typeof schema>>

/** The part of the lock that is kept beside the key, not in the store. */
export interface LockFiles {
  /** the encrypted private key of the operator */
  readonly operatorKey: string
  /** the noted mark */
  readonly mark: string
}

/** Undefined if there is none yet. Throws PermissionError if it cannot be read. */
export function readNotedMark(path: string): NotedMark | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw ToolError.of('PermissionError', `${path} cannot be read: ${message}`)
  }
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw ToolError.of(
    'PermissionError',
    `${path} was altered: it has the journal and the operator that the ledger had last. Restore it from a backup.`,
  )
}

/** Writes the file if the journal or the operator differs from what it has. */
export async function noteMark(path: string, { journal, version, operator }: NotedMark): Promise<void> {
  const noted = readNotedMark(path)
  if (noted?.journal === journal && noted.operator === operator) return
  await writeFileAtomically(
    path,
    `${JSON.stringify({ journal, version, ...(operator !== undefined && { operator }) }, null, 2)}\n`,
  )
}

/** What the side of the key says about the lock. `version` is undefined if only `operator.key` says it, which has none. */
export type KnownLock = Omit<NotedMark, 'version'> & { readonly version: number | undefined }

/** For a machine that has not noted a mark yet. Undefined if there is no `operator.key`. */
export async function lockOfKeyFile({ operatorKey }: LockFiles): Promise<KnownLock | undefined> {
  const key = await readOperatorKey(operatorKey)
  return key && { journal: key.ledger, version: undefined, operator: key.public_key }
}

export const knownLock = async (files: LockFiles): Promise<KnownLock | undefined> =>
  readNotedMark(files.mark) ?? (await lockOfKeyFile(files))

/**
 * Why a mark that the ledger's key has signed is not a successor of what is known, as the end of a sentence; undefined if it is. A later
 * version may name another operator or none: only `operator rotate` and `operator remove` sign that.
 */
export function lockFault(known: KnownLock | undefined, mark: Mark | undefined): string | undefined {
  if (known?.operator === undefined) return undefined
  const key = operatorKeyId(known.operator)
  if (mark === undefined) return `it is locked with the operator's key ${key}, and its journal and mark were removed`
  // The folder of a key may be shared by ledgers that have their own keys, and one of them may have been locked with another key since.
  if (known.version === undefined && (mark.journal !== known.journal || mark.operator !== undefined)) return undefined
  if (mark.journal !== known.journal)
    return `it is locked with the operator's key ${key}, and its store was replaced by that of another journal (${mark.journal} instead of ${known.journal})`
  if (mark.operator === known.operator || mark.version > (known.version ?? Number.POSITIVE_INFINITY)) return undefined
  const named = mark.operator === undefined ? 'does not name it' : `names ${operatorKeyId(mark.operator)}`
  return `it is locked with the operator's key ${key}, and its mark was replaced by an older one, which ${named}`
}

/** A ledger that was locked does not open as one that never was. */
export const lostLock = (fault: string, { mark }: LockFiles): ToolError =>
  ToolError.of(
    'PermissionError',
    `This ledger is not opened: ${fault} (${mark} and operator.key beside it say so). Restore the newest backup of the store. If you put ` +
      'back an older one or removed it yourself, continue with myrmex audit accept-break, which keeps the ledger locked. A new ledger ' +
      'needs a key of its own: --ledger-key with a file in another folder.',
  )
