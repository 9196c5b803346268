/**
 * The stub: what is left of all that retention removed. A journal has one. It is signed, and every removal replaces it. Chains
 * that lost their beginning continue from where it says.
 *
 * Some lines outlive their segments: decisions, because tables are compared with them, accepted breaks, and the last head of
 * each chain that was removed as a whole. They are rows that are only ever added. The stub has a hash over all of them, so it
 * stays small.
 */
import * as z from 'zod'
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import { parseJson } from '../../protocol/json.ts'
import type { Db } from '../db.ts'
import type { ChainHead } from './chain.ts'
import type { LedgerKey } from './key.ts'
import type { KeyRing } from './keyring.ts'

/** A stub as it is stored. */
export interface StoredStub {
  /** canonical JSON of a Stub */
  readonly body: string
  readonly key_id: string
  readonly signature: string
}

const head = { group: z.int().positive(), hash: z.string() }

const stubSchema = z.strictObject({
  journal: z.string(),
  /** when something was last removed */
  time: z.int(),
  /** how many records were removed so far */
  records: z.int(),
  /** chains that lost their beginning, and where it ended */
  chains: z.record(z.string(), z.strictObject({ ...head, segment: z.int().positive() })),
  /** the newest heads of chains, not removed, that removed groups linked to */
  links: z.record(z.string(), z.tuple([head.group, head.hash])),
  /** how many lines outlive their segments, and a hash over them */
  lines: z.strictObject({ count: z.int(), hash: z.string() }),
  /** the segments that were removed last, with the SHA-256 of each: a crash may have left them */
  removed: z.record(z.string(), z.string()),
})
export type Stub = Readonly<z.output<typeof stubSchema>>

export const newStub = (journal: string): Stub => ({
  journal,
  time: 0,
  records: 0,
  chains: {},
  links: {},
  lines: { count: 0, hash: '' },
  removed: {},
})

const stubText = (body: string): string => `myrmex journal stub ${body}`

export function signStub(stub: Stub, key: LedgerKey): StoredStub {
  const body = canonical(stub)
  return { body, key_id: key.id, signature: key.sign(stubText(body)) }
}

/** Undefined if the text is not a stub. */
export function parseStub(text: string): Stub | undefined {
  const body = parseJson(text)
  return stubSchema.safeParse(body).success && canonical(body) === text ? (body as Stub) : undefined
}

/** What is wrong with a stub, as the end of a sentence; undefined if a known key has signed it. */
export const stubFault = async (ring: KeyRing, stored: StoredStub): Promise<string | undefined> =>
  parseStub(stored.body) === undefined ? 'was altered' : ring.signatureFault(stubText(stored.body), stored)

/** The hash over all lines that outlive their segments, with one more. */
export const linesHash = (before: string, line: string): string =>
  crypto.hash('sha256', `${before}\n${line}`, 'base64url')

const goneSchema = z.strictObject({ kind: z.literal('gone'), chain: z.string(), ...head })

/** The line that is left of a chain: its last group. */
export const goneLine = (chain: string, { group, hash }: ChainHead): string =>
  JSON.stringify({ kind: 'gone', chain, group, hash })

/** Undefined if the line is something else that outlived its segment. */
export function parseGone(line: string): z.output<typeof goneSchema> | undefined {
  return line.startsWith('{"kind":"gone"') ? goneSchema.safeParse(parseJson(line)).data : undefined
}

export async function readStub(db: Db): Promise<StoredStub | undefined> {
  return (await db.query<StoredStub>('SELECT body, key_id, signature FROM journal_stub'))[0]
}

const PAGE = 500

/** The first `count` lines that outlived their segments. */
export async function* keptLines(db: Db, count: number): AsyncGenerator<string> {
  for (let after = 0; after < count; after += PAGE) {
    const rows = await db.query<{ line: string }>(
      'SELECT line FROM journal_kept WHERE number > ? AND number <= ? ORDER BY number',
      [after, Math.min(after + PAGE, count)],
    )
    for (const { line } of rows) yield line
  }
}

/**
 * Replaces the stub and adds lines after the first `count`. False if another process has replaced it since `before` was read;
 * then nothing was changed.
 */
export async function replaceStub(
  db: Db,
  before: StoredStub | undefined,
  after: StoredStub,
  { count, lines }: { readonly count: number; readonly lines: readonly string[] },
): Promise<boolean> {
  await db.transaction([
    {
      sql: `INSERT INTO journal_stub (id, body, key_id, signature) VALUES (1, ?, ?, ?) ON CONFLICT (id) DO UPDATE
        SET body = excluded.body, key_id = excluded.key_id, signature = excluded.signature WHERE journal_stub.signature = ?`,
      params: [after.body, after.key_id, after.signature, before?.signature ?? ''],
    },
    ...lines.map((line, index) => ({
      // Another process may have stored the very same stub, and with it the same lines.
      sql: `INSERT INTO journal_kept (number, line) SELECT CAST(? AS BIGINT), CAST(? AS TEXT)
        WHERE EXISTS (SELECT 1 FROM journal_stub WHERE signature = ?) ON CONFLICT (number) DO NOTHING`,
      params: [count + index + 1, line, after.signature],
    })),
  ])
  return (await readStub(db))?.signature === after.signature
}

/** For an operator who accepts that the stub was altered. */
export async function dropStub(db: Db): Promise<void> {
  await db.transaction([{ sql: 'DELETE FROM journal_stub' }, { sql: 'DELETE FROM journal_kept' }])
}
