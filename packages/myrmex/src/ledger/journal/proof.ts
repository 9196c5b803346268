/**
 * An export that proves itself. It has the lines of every group exactly as they are stored, and all that is needed to check them
 * without the ledger: the public keys, the signed mark, the signed stub of what retention removed. Nothing in it is secret.
 *
 *     {"proof":"journal",…}     what the file is
 *     {"proof":"key",…}         the public keys
 *     {"proof":"mark",…}        how far each chain had come
 *     {"proof":"stub",…}        what retention removed, followed by the lines that outlived it
 *     {"proof":"chain",…}       a chain; its groups follow
 *       …                       the lines of a group: records and entries
 *       {"group":1,"hash":"…"}  the end of the group
 *     {"proof":"signature",…}   only in an export of a period: a signature over the last group of the chain
 *     {"proof":"end",…}         how much there was
 *
 * A process signs its groups within a moment. Groups that are not signed yet cannot be proved and are left out.
 */
import * as z from 'zod'
import { parseJson } from '../../protocol/json.ts'
import type { Db } from '../db.ts'
import { LedgerError } from '../ledger-error.ts'
import { type ChainHead, GROUP_END, genesis, nextHead } from './chain.ts'
import { isOnlyBeginning } from './chain-beginnings.ts'
import { ENTRY_START, entryLines, FORMAT, parseEntry, type SealEntry } from './entry.ts'
import { type JournalSnapshot, takeSnapshot } from './journal-snapshot.ts'
import type { AuditPeriod } from './read.ts'
import { readGroups } from './read-groups.ts'
import type { JournalStore } from './store.ts'
import type { StoredChain } from './stored-chains.ts'
import { keptLines, readStub } from './stub.ts'

const signed = { body: z.string(), key_id: z.string(), signature: z.string() }
const count = z.int().min(0)

const proofSchema = z.discriminatedUnion('proof', [
  z.strictObject({ proof: z.literal('journal'), format: z.int(), complete: z.boolean() }),
  z.strictObject({ proof: z.literal('key'), key_id: z.string(), public_key: z.string() }),
  z.strictObject({ proof: z.literal('mark'), ...signed }),
  z.strictObject({ proof: z.literal('stub'), ...signed }),
  z.strictObject({
    proof: z.literal('chain'),
    chain: z.string().regex(/^[a-z0-9]{12}$/),
    /** the group before the first in the file; without it the chain begins as it began */
    after: z.strictObject({ group: z.int().positive(), hash: z.string() }).optional(),
  }),
  z.strictObject({ proof: z.literal('signature'), key_id: z.string(), signature: z.string() }),
  z.strictObject({ proof: z.literal('end'), chains: count, groups: count, records: count }),
])
export type ProofLine = Readonly<z.output<typeof proofSchema>>
export type ProofOf<Kind extends ProofLine['proof']> = Extract<ProofLine, { proof: Kind }>

/** How every line begins that is not part of a group. No record and no entry begins so. */
export const PROOF_START = '{"proof":'

const write = (line: ProofLine): string => JSON.stringify(line)

/** Undefined if the text is not exactly a line that we write: what is not checked must not be there. */
export function parseProof(text: string): ProofLine | undefined {
  const parsed = proofSchema.safeParse(parseJson(text))
  return parsed.success && write(parsed.data) === text ? parsed.data : undefined
}

const groupEnd = ({ group, hash }: ChainHead): string => `${GROUP_END}${group},"hash":"${hash}"}`

const GROUP_LINE = /^\{"group":([1-9]\d{0,14}),"hash":"([\w-]{43})"\}$/

/** Undefined if the line does not end a group as we write it. */
export function parseGroupEnd(text: string): ChainHead | undefined {
  const [, group, hash] = GROUP_LINE.exec(text) ?? []
  return hash === undefined ? undefined : { group: Number(group), hash }
}

export interface ProofOptions extends AuditPeriod {
  /** called with the number of records of the period that no signature of their chain covers: they are left out */
  readonly onLeftOut?: (records: number) => void
  /** called with the number of records that were written after the newest signature: they are left out */
  readonly onUnsigned?: (records: number) => void
}

/**
 * Texts of one or more whole lines, without the last newline. A period selects the groups of each chain from the first to the last
 * that have something of it, up to the next signature.
 */
export async function* proofLines(
  { db, store }: { readonly db: Db; readonly store: JournalStore },
  options: ProofOptions = {},
): AsyncGenerator<string> {
  const complete = options.since === undefined && options.until === undefined
  yield write({ proof: 'journal', format: FORMAT, complete })
  const keys = await db.query<{ key_id: string; public_key: string }>('SELECT key_id, public_key FROM keys')
  keys.sort((a, b) => (a.key_id < b.key_id ? -1 : 1))
  for (const { key_id, public_key } of keys) yield write({ proof: 'key', key_id, public_key })
  const snapshot = await takeSnapshot(db, store)
  const { mark, stub } = snapshot
  if (mark !== undefined) yield write({ proof: 'mark', ...pick(mark) })
  if (complete && stub !== undefined) {
    yield write({ proof: 'stub', ...pick(stub) })
    yield* keptLines(db, snapshot.removals.stub?.lines.count ?? 0)
  }
  const counts = { chains: 0, groups: 0, records: 0 }
  let unsigned = 0
  const onUnsigned = (lines: string): void => {
    unsigned += countWithin(lines, options)
  }
  for (const chain of snapshot.chains) {
    const groups: ReadGroups = (onRest) => groupsOf(store, snapshot, chain, onRest)
    if (complete) yield* wholeChain(chain.id, snapshot.ends.has(chain.id), groups(onUnsigned), counts)
    else yield* chainPeriod(chain.id, groups, options, counts, onUnsigned)
  }
  if (unsigned > 0) options.onUnsigned?.(unsigned)
  yield write({ proof: 'end', ...counts })
  if ((await readStub(db))?.signature !== stub?.signature)
    throw new LedgerError('was pruned while it was exported, so the export is not complete')
}

const pick = ({ body, key_id, signature }: { body: string; key_id: string; signature: string }) => ({
  body,
  key_id,
  signature,
})

/** A group, and the heads before and after it. */
interface HashedGroup {
  readonly before: ChainHead
  readonly head: ChainHead
  readonly lines: string
}

type ReadGroups = (onRest?: (lines: string) => void) => AsyncIterable<HashedGroup>

/** The groups of a chain up to where the mark is, or to its end. `onRest` gets the lines of each group after it. */
async function* groupsOf(
  store: JournalStore,
  { journal, removals, ends }: JournalSnapshot,
  { id, segments }: StoredChain,
  onRest?: (lines: string) => void,
): AsyncGenerator<HashedGroup> {
  const end = ends.get(id) ?? Number.POSITIVE_INFINITY
  let before: ChainHead = removals.start(id) ?? genesis(journal, id)
  for (const segment of segments) {
    for await (const { groups } of readGroups(store, segment)) {
      for (const { lines } of groups) {
        if (before.group >= end) {
          if (onRest === undefined) return
          onRest(lines)
          continue
        }
        const head = nextHead(before, lines)
        yield { before, head, lines }
        before = head
      }
    }
  }
}

interface Counts {
  chains: number
  groups: number
  records: number
}

function groupText({ head, lines }: HashedGroup, counts: Counts): string {
  counts.groups++
  counts.records += lines.split('\n').length - 1 - entryLines(lines).length
  return `${lines}${groupEnd(head)}`
}

/** A chain without records that is not in the mark is left out: its process ended before it could begin. */
async function* wholeChain(
  chain: string,
  isInMark: boolean,
  groups: AsyncIterable<HashedGroup>,
  counts: Counts,
): AsyncGenerator<string> {
  let first: HashedGroup | undefined
  let isBegun = false
  for await (const group of groups) {
    if (group.before.group === 0 && !isInMark && isOnlyBeginning(group.lines)) {
      first = group
      continue
    }
    if (!isBegun) {
      isBegun = true
      counts.chains++
      yield write({ proof: 'chain', chain })
      if (first !== undefined) yield groupText(first, counts)
    }
    yield groupText(group, counts)
  }
}

async function* chainPeriod(
  chain: string,
  groups: ReadGroups,
  options: ProofOptions,
  counts: Counts,
  onRest: (lines: string) => void,
): AsyncGenerator<string> {
  const found = await findPeriod(groups(onRest), options)
  if (found === undefined) return
  const { after, seal } = found
  counts.chains++
  yield write({ proof: 'chain', chain, ...(after.group > 0 && { after }) })
  for await (const group of groups()) {
    if (group.head.group <= after.group) continue
    if (group.head.group > seal.group) break
    yield groupText(group, counts)
  }
  yield write({ proof: 'signature', key_id: seal.key, signature: seal.signature })
}

/** Where the period begins, and the first signature after its end. Undefined if nothing of it is signed. */
async function findPeriod(groups: AsyncIterable<HashedGroup>, { onLeftOut, ...period }: ProofOptions) {
  let after: ChainHead | undefined
  let seal: SealEntry | undefined
  /** records of the period that no signature covers yet */
  let loose = 0
  for await (const { before, lines } of groups) {
    if (loose > 0) {
      const found = sealIn(lines)
      if (found?.group === before.group) {
        seal = found
        loose = 0
      }
    }
    const count = countWithin(lines, period)
    if (count > 0) after ??= before
    loose += count
  }
  if (loose > 0) onLeftOut?.(loose)
  return after === undefined || seal === undefined ? undefined : { after, seal }
}

function sealIn(lines: string): SealEntry | undefined {
  const [seal] = entryLines(lines).flatMap((line) => {
    const entry = parseEntry(line)
    return entry?.kind === 'seal' ? [entry] : []
  })
  return seal
}

/** How many records and decisions in these lines are of the period. A record without a time has that of the record before it. */
function countWithin(lines: string, { since = 0, until = Number.MAX_SAFE_INTEGER }: AuditPeriod): number {
  let count = 0
  let carried: unknown
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const { time } = (parseJson(line) ?? {}) as { time?: unknown }
    const isEntry = line.startsWith(ENTRY_START)
    if (!isEntry) carried = time ?? carried
    const when = isEntry ? time : carried
    if (typeof when === 'number' && when >= since && when <= until) count++
  }
  return count
}
