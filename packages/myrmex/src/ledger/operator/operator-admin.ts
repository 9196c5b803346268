/**
 * Locks a ledger with an operator's key, replaces the key, and unlocks it. Each change is a decision in the journal. Processes that
 * have the ledger open go on with the key that they started with.
 *
 * 1. The key file is written before the mark names its key, so that a ledger is never locked with a key that is on no disk.
 * 2. The mark is what locks: it is signed with the ledger's key.
 * 3. The mark is noted beside the key, so that a store that is wiped or put back does not open in open mode (journal/noted-mark.ts).
 */
import { rename, rm } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import type { Grant } from '../decisions/grants.ts'
import type { TrustRow } from '../decisions/trust-row.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { type Mark, parseMark, SELECT_MARK, type SignedMark } from '../journal/mark.ts'
import { noteMark } from '../journal/noted-mark.ts'
import type { Ledger } from '../ledger.ts'
import { LedgerError } from '../ledger-error.ts'
import {
  newOperatorKey,
  type OperatorKeyFile,
  type OperatorSigner,
  operatorKeyId,
  readOperatorKey,
  unlockOperatorKey,
  writeOperatorKey,
} from './operator-key.ts'
import type { OperatorLock } from './operator-lock.ts'

const OPERATOR_COLUMNS = 'key_id, public_key, set_by, set_at, retired_by, retired_at'

/** Creates a key and locks the ledger for processes that open it from now on. A lower `cost` of the passphrase is for tests. */
export async function lockLedger(
  ledger: Ledger,
  passphrase: string,
  by: Decider,
  cost?: number,
): Promise<OperatorKeyFile> {
  const path = fileOf(ledger.lock)
  if (ledger.lock.isLocked)
    throw ToolError.of(
      'ValidationError',
      `This ledger has an operator's key already: ${ledger.lock.fingerprint}. To replace it: npx myrmex operator rotate`,
    )
  if ((await readOperatorKey(path)) !== undefined)
    throw ToolError.of(
      'ValidationError',
      `${path} exists, but this ledger is not locked with it. If nothing needs it, remove the file and try again.`,
    )
  const key = await newOperatorKey(await ledgerId(ledger), passphrase, cost)
  await writeOperatorKey(path, key)
  await recordKeys(ledger, by, key.public_key)
  await ledger.journal.setOperator(key.public_key)
  await noteStoredMark(ledger)
  return key
}

/** Replaces the key. Decisions that the old key signed have to be signed with the new one: see `signDecisions`. */
export async function replaceOperatorKey(
  ledger: Ledger,
  passphrase: string,
  by: Exclude<Decider, string>,
  cost?: number,
): Promise<OperatorKeyFile> {
  ledger.lock.requireSigner(by)
  const path = fileOf(ledger.lock)
  const key = await newOperatorKey(ledger.lock.ledger, passphrase, cost)
  // Both files exist while the mark changes, and the one that the mark names is used.
  await writeOperatorKey(draftOf(path), key)
  await recordKeys(ledger, by, key.public_key)
  await ledger.journal.setOperator(key.public_key)
  await rename(draftOf(path), path)
  await noteStoredMark(ledger)
  return key
}

/** Unlocks the ledger: from now on every decision counts, signed or not. */
export async function unlockLedger(ledger: Ledger, by: Exclude<Decider, string>): Promise<void> {
  ledger.lock.requireSigner(by)
  const path = fileOf(ledger.lock)
  await recordKeys(ledger, by, undefined)
  // Before the mark: if this process ends in between, the mark still locks, and is noted again by the next process.
  const { operator: _, ...open } = await storedMark(ledger)
  if (ledger.lock.files !== undefined) await noteMark(ledger.lock.files.mark, open)
  await ledger.journal.setOperator(undefined)
  await rm(path, { force: true })
  await rm(draftOf(path), { force: true })
}

/** The key file of a locked ledger. Throws PermissionError if it is not here. */
export async function operatorKeyOf(lock: OperatorLock): Promise<OperatorKeyFile> {
  const path = fileOf(lock)
  for (const candidate of [path, draftOf(path)]) {
    const key = await readOperatorKey(candidate)
    // Not by the id of the ledger: after a wiped store was accepted, the journal is another one.
    if (key !== undefined && operatorKeyId(key.public_key) === lock.keyId) return key
  }
  throw ToolError.of(
    'PermissionError',
    `This ledger is locked with the operator's key ${lock.keyId}, which is not in ${path}. Restore the file from a backup.`,
  )
}

/** Throws PermissionError if the passphrase is wrong. */
export const unlockSigner = async (lock: OperatorLock, passphrase: string): Promise<OperatorSigner> =>
  unlockOperatorKey(await operatorKeyOf(lock), passphrase)

/** Retires the keys in use and adds the new one, as one decision. */
export async function recordKeys({ db, journal }: Ledger, by: Decider, publicKey: string | undefined): Promise<void> {
  const id = publicKey === undefined ? '' : operatorKeyId(publicKey)
  const retire = {
    sql: `UPDATE operators SET retired_by = ?, retired_at = CASE WHEN ${db.now} > set_at THEN ${db.now} ELSE set_at + 1 END
      WHERE retired_at IS NULL AND key_id <> ? RETURNING ${OPERATOR_COLUMNS}`,
    params: [deciderName(by), id],
  }
  // The row may be there: in a store whose journal was lost.
  const add = {
    sql: `INSERT INTO operators (key_id, public_key, set_by, set_at) VALUES (?, ?, ?, ${db.now})
      ON CONFLICT (key_id) DO UPDATE SET public_key = excluded.public_key, set_by = excluded.set_by, set_at = excluded.set_at,
      retired_by = NULL, retired_at = NULL RETURNING ${OPERATOR_COLUMNS}`,
    params: publicKey === undefined ? [] : [id, publicKey, deciderName(by)],
  }
  await journal.decide(publicKey === undefined ? [retire] : [retire, add], ([retired = [], added = []]) => [
    ...(retired.length === 0 ? [] : [{ what: 'unlock', by, table: 'operators' as const, rows: retired }]),
    ...(added.length === 0 ? [] : [{ what: 'lock', by, table: 'operators' as const, rows: added }]),
  ])
}

/** The id of the journal, which exists from the first decision on. */
async function ledgerId(ledger: Ledger): Promise<string> {
  const known = await readMark(ledger)
  if (known !== undefined) return known.journal
  await ledger.journal.setOperator(undefined)
  return (await storedMark(ledger)).journal
}

/** As it is stored, not checked. */
export const readMark = async ({ db }: Ledger): Promise<Mark | undefined> =>
  parseMark((await db.query<SignedMark>(SELECT_MARK))[0]?.body ?? '')

async function storedMark(ledger: Ledger): Promise<Mark> {
  const mark = await readMark(ledger)
  if (mark === undefined) throw new LedgerError('has no mark')
  return mark
}

/** After the operator in the mark has changed. */
export async function noteStoredMark(ledger: Ledger): Promise<void> {
  if (ledger.lock.files !== undefined) await noteMark(ledger.lock.files.mark, await storedMark(ledger))
}

const draftOf = (path: string): string => `${path}.new`

function fileOf({ file }: OperatorLock): string {
  if (file !== undefined) return file
  throw ToolError.of('ValidationError', 'A ledger in memory, or one that was opened without its key, has no operator.')
}

/** Decisions that would raise rights and do not count, because the operator has not signed them. */
export interface UnsignedDecisions {
  readonly trust: readonly TrustRow[]
  readonly grants: readonly Grant[]
}

/** As the tables have them. Offer for a signature only what the journal has too: see journalled-decisions.ts. */
export async function unsignedDecisions({ trust, grants }: Ledger): Promise<UnsignedDecisions> {
  const now = Date.now()
  return {
    trust: (await trust.decisions()).filter((row) => !trust.isSigned(row)),
    grants: (await grants.list()).filter(
      (grant) =>
        grant.revoked_at === null && (grant.expires_at === null || grant.expires_at > now) && !grants.isSigned(grant),
    ),
  }
}

/** Returns how many it signed. One that was changed or revoked since it was read is left as it is. */
export async function signDecisions(
  { trust, grants }: Ledger,
  unsigned: UnsignedDecisions,
  by: Decider,
): Promise<number> {
  let signed = 0
  for (const row of unsigned.trust) if (await trust.sign(row, by)) signed++
  for (const grant of unsigned.grants) if (await grants.sign(grant, by)) signed++
  return signed
}
