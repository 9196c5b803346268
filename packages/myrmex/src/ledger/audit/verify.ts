/**
 * Verifies the audit of a ledger: every line, hash and signature, from the first group or stub to the newest group, and
 * reports the first defect. It only reads, and works while others write.
 */
import { plural } from '../../protocol/text.ts'
import type { Db } from '../db.ts'
import { type ChainHead, type GroupRow, sealText } from './chain.ts'
import { ChainCheck, type CheckedSeal, type ExpectedHead } from './chain-check.ts'
import { type Defect, DefectError, groupRange, lineRange } from './defect.ts'
import { KeyRing, type TrustedKey } from './keyring.ts'
import { nextSealed, readGroups, readSeals } from './read.ts'
import { STUBS, type StubRow, stubBody, stubText } from './stub.ts'

export interface VerifyOptions {
  /** only these keys count; otherwise those that the ledger itself names */
  readonly trustedKeys?: readonly TrustedKey[]
  /** must still be in the chain */
  readonly head?: ExpectedHead
}

export type VerifyReport = Readonly<ReturnType<typeof verifyReport>>

export async function verifyJournal(db: Db, options: VerifyOptions = {}): Promise<VerifyReport> {
  const ring = await KeyRing.of(db, options.trustedKeys)
  while (true) {
    const stubs = await db.query<StubRow>(STUBS)
    const check = new ChainCheck(undefined, options.head)
    const found = await firstDefect(() => walk(db, ring, check, stubs))
    // Another process pruned meanwhile: what was missing may have been removed legitimately. Start again.
    if (found !== undefined && (await db.query<StubRow>(STUBS)).length !== stubs.length) continue
    return verifyReport(check, found)
  }
}

export async function firstDefect(work: () => Promise<void>): Promise<Defect | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof DefectError) return error.defect
    throw error
  }
}

export function verifyReport(check: ChainCheck, found: Defect | undefined) {
  const { head, signed, groups, pruned, seals } = check
  const unsigned = head.line - signed.line
  const notices = [...check.notices]
  if (unsigned > 0 && found === undefined) notices.push(unsignedNotice(signed, head))
  return {
    ok: found === undefined,
    defect: found ?? null,
    /** the newest group that was reached in order */
    head,
    /** up to here a good signature covers everything */
    signed,
    /** how many were looked at */
    groups,
    lines: head.line - pruned,
    pruned_lines: pruned,
    /** lines after the newest signature */
    unsigned_lines: unsigned,
    /** signatures by each key */
    seals: Object.fromEntries(seals),
    notices,
  }
}

const unsignedNotice = (signed: ChainHead, head: ChainHead): string =>
  `the last ${plural(head.line - signed.line, 'line')} (${lineRange([signed.line + 1, head.line])}, ${groupRange([
    signed.seq + 1,
    head.seq,
  ])}) are not signed: a process that is killed leaves that, and so does somebody who adds lines`

async function walk(db: Db, ring: KeyRing, check: ChainCheck, stubs: readonly StubRow[]): Promise<void> {
  await checkStubs(ring, check, stubs)
  await noSealBelow(db, check.head.seq)
  const newest = await highest(db, 'audit_groups')
  await checkSignedGroups(db, ring, check, Number.MIN_SAFE_INTEGER, newest)
  check.end(await cutOff(db))
}

export async function checkStubs(ring: KeyRing, check: ChainCheck, stubs: readonly StubRow[]): Promise<void> {
  for (const { body, key_id, signature } of stubs) {
    check.stub(stubBody(body), { key_id, fault: await ring.signatureFault(stubText(body), { key_id, signature }) })
  }
}

/** Follows the groups up to this one, and on to the signature that covers it. Gives the hash of the last one asked for. */
export async function checkSignedGroups(
  db: Db,
  ring: KeyRing,
  check: ChainCheck,
  after: number,
  upTo: number,
): Promise<string> {
  await follow(db, ring, check, after, upTo)
  const { hash, seq } = check.head
  // Under load one signature covers many groups: this group may have been signed together with later ones.
  if (seq > check.signed.seq) {
    const next = await nextSealed(db, seq)
    if (next !== undefined) await follow(db, ring, check, seq, next)
  }
  return hash
}

/** Signatures of a page are checked on other threads while the page before it is followed on this one. */
async function follow(db: Db, ring: KeyRing, check: ChainCheck, after: number, upTo: number): Promise<void> {
  let waiting: [GroupRow[], Promise<Map<number, CheckedSeal>>] | undefined
  const take = async ([page, checked]: [GroupRow[], Promise<Map<number, CheckedSeal>>]): Promise<void> => {
    const seals = await checked
    for (const row of page) check.group(row, seals.get(row.seq))
  }
  for await (const page of readGroups(db, { after, upTo })) {
    const checked = checkSeals(db, ring, page)
    // Handled below, when its turn comes.
    checked.catch(() => {})
    if (waiting !== undefined) await take(waiting)
    waiting = [page, checked]
  }
  if (waiting !== undefined) await take(waiting)
}

async function checkSeals(db: Db, ring: KeyRing, page: readonly GroupRow[]): Promise<Map<number, CheckedSeal>> {
  const seals = await readSeals(db, page)
  const hashes = new Map(page.map(({ seq, hash }) => [seq, hash]))
  const checked = seals.map(async (seal) => {
    const fault = await ring.signatureFault(sealText(seal.seq, hashes.get(seal.seq) ?? ''), seal)
    return [seal.seq, { key_id: seal.key_id, fault }] as const
  })
  return new Map(await Promise.all(checked))
}

/** A pruned group has a stub and no signature of its own. */
async function noSealBelow(db: Db, seq: number): Promise<void> {
  const first = await nextSealed(db, Number.MIN_SAFE_INTEGER)
  if (first === undefined || first > seq) return
  const message = `a signature for group ${first} was put in: there is no such group`
  throw new DefectError('inserted', message, [first, first])
}

/** A group is written before its signature: a signed group that is missing was removed. */
async function cutOff(db: Db): Promise<number> {
  const sealed = await highest(db, 'audit_seals')
  return (await highest(db, 'audit_groups')) < sealed ? sealed : 0
}

async function highest(db: Db, table: 'audit_groups' | 'audit_seals'): Promise<number> {
  const [row] = await db.query<{ seq: number }>(`SELECT seq FROM ${table} ORDER BY seq DESC LIMIT 1`)
  return row?.seq ?? 0
}
