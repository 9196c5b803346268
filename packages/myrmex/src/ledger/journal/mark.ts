/**
 * The high-water mark: how far each chain has come, signed, outside the segments. Cutting the end off a segment, removing one or
 * putting an old copy in its place shows against it. It has the chains that are being written, and ended ones until another
 * chain links to them; a chain is in it before its first record.
 */
import * as z from 'zod'
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import { parseJson } from '../../protocol/json.ts'
import type { Db } from '../db.ts'
import type { ChainLinks } from './chain.ts'
import { entryTime } from './entry.ts'
import { JournalBreak } from './journal-break.ts'
import type { LedgerKey } from './key.ts'
import type { KeyRing } from './keyring.ts'

const chainMark = z.strictObject({
  /** the newest group that is known of */
  group: z.int().positive(),
  hash: z.string(),
  /** the hash before that group, so that it can be checked by itself */
  before: z.string(),
  started: entryTime,
  /** the segment that it is in, and the byte at which it begins */
  segment: z.int().positive(),
  offset: z.int(),
  closed: z.boolean(),
  /** the process that writes it, where that is known */
  process: z.string().nullable(),
})
const markSchema = z.strictObject({
  journal: z.string(),
  /** one more with every change: an older mark is recognised by it */
  version: z.int(),
  time: entryTime,
  chains: z.record(z.string(), chainMark),
  /** the public key of the operator, base64url; without it the ledger is in open mode */
  operator: z.string().optional(),
})

export type ChainMark = Readonly<z.output<typeof chainMark>>
export type Mark = Readonly<z.output<typeof markSchema>>

/** A mark as it is stored and anchored. */
export interface SignedMark {
  /** canonical JSON of a Mark */
  readonly body: string
  readonly key_id: string
  readonly signature: string
}

export const newMark = (): Mark => ({
  journal: crypto.randomBytes(9).toString('base64url'),
  version: 0,
  time: Date.now(),
  chains: {},
})

const markText = (body: string): string => `myrmex journal mark ${body}`

export function signMark(mark: Mark, key: LedgerKey): SignedMark {
  const body = canonical(mark)
  return { body, key_id: key.id, signature: key.sign(markText(body)) }
}

/** Undefined if the text is not a mark. */
export function parseMark(text: string): Mark | undefined {
  const body = parseJson(text)
  return markSchema.safeParse(body).success && canonical(body) === text ? (body as Mark) : undefined
}

/** Which journal a database has: no two have the same id. Undefined: nothing was recorded yet. */
export async function journalId(db: Pick<Db, 'query'>): Promise<string | undefined> {
  const [stored] = await db.query<SignedMark>(SELECT_MARK)
  return stored && parseMark(stored.body)?.journal
}

/** What is wrong with a mark, as the end of a sentence; undefined if a known key has signed it. */
export const markFault = async (ring: KeyRing, signed: SignedMark): Promise<string | undefined> =>
  parseMark(signed.body) === undefined ? 'was altered' : await ring.signatureFault(markText(signed.body), signed)

/** Reads a mark that this ledger's own key must have signed. Throws JournalBreak. */
export function ownMark(signed: SignedMark, key: LedgerKey): Mark {
  const mark = parseMark(signed.body)
  if (signed.key_id !== key.id) {
    throw new JournalBreak(`its mark is signed by key ${signed.key_id}, and this ledger's key is ${key.id}`)
  }
  if (mark === undefined || !key.hasSigned(markText(signed.body), signed.signature))
    throw new JournalBreak('its mark was altered')
  return mark
}

export const olderMark = (version: number, seen: number): string =>
  `its mark was replaced by an older one (version ${version}, ${seen} was seen)`

/** The heads of all chains in a mark but one. */
export function linksOf(mark: Mark, except?: string): ChainLinks {
  const links: Record<string, readonly [number, string]> = {}
  for (const [chain, { group, hash }] of Object.entries(mark.chains)) {
    if (chain !== except) links[chain] = [group, hash]
  }
  return links
}

export const withChain = (mark: Mark, chain: string, reached: ChainMark): Mark => ({
  ...mark,
  chains: { ...mark.chains, [chain]: reached },
})

/** Locks the ledger with an operator's key, or ends that. */
export function withOperator({ operator: _, ...mark }: Mark, operator: string | undefined): Mark {
  return operator === undefined ? mark : { ...mark, operator }
}

/**
 * The mark as this process saw it last. Who changes the stored mark holds a lock from `continued` until it is stored, and calls
 * `accept` when that is certain. Who only reads it takes `seen` before the read: this process may move the mark meanwhile.
 */
export class SeenMark {
  readonly #key: LedgerKey
  #seen: Mark | undefined

  constructor(key: LedgerKey) {
    this.#key = key
  }

  get seen(): Mark | undefined {
    return this.#seen
  }

  /** The stored mark, or the first one. Throws JournalBreak if it does not continue what was seen. */
  continued(stored: SignedMark | undefined, seen: Mark | undefined = this.#seen): Mark {
    if (stored === undefined) {
      if (seen !== undefined) throw new JournalBreak('its mark was removed')
      return newMark()
    }
    const mark = ownMark(stored, this.#key)
    if (seen !== undefined && mark.journal !== seen.journal)
      throw new JournalBreak('its mark was replaced by that of another journal')
    if (seen !== undefined && mark.version < seen.version) {
      throw new JournalBreak(olderMark(mark.version, seen.version))
    }
    return mark
  }

  /** The changed mark as it is to be stored. */
  sign(changed: Mark): { readonly mark: Mark; readonly signed: SignedMark } {
    const mark = { ...changed, version: changed.version + 1, time: Date.now() }
    return { mark, signed: signMark(mark, this.#key) }
  }

  accept(mark: Mark): void {
    this.#seen = mark
  }
}

/** The chains in the stored mark. Others have ended, and are not written any more. */
export async function markedChains(db: Db): Promise<Set<string>> {
  const [signed] = await db.query<SignedMark>(SELECT_MARK)
  return new Set(Object.keys(parseMark(signed?.body ?? '')?.chains ?? {}))
}

/**
 * While the mark cannot move, what is recorded can be cut off unseen. Somebody who locks the database could wait for that, so
 * calls are refused after this many milliseconds.
 */
export const UNMARKED_MS = 2000

/** The row of the mark. There is one at most, and each change replaces it. */
export const SELECT_MARK = 'SELECT body, key_id, signature FROM journal_mark WHERE id = 1'
export const STORE_MARK = `INSERT INTO journal_mark (id, body, key_id, signature) VALUES (1, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET body = excluded.body, key_id = excluded.key_id, signature = excluded.signature`
