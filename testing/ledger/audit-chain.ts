/** Records to write, and a reading of the whole journal that shares nothing with the code that verifies it but the hash of a group. */

import { verify } from 'node:crypto'
import { type CallRecord, expandRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import { type ChainHead, genesis, groupHash, sealText } from '../../packages/myrmex/src/ledger/journal/chain.ts'
import type { SealEntry, SegmentEntry } from '../../packages/myrmex/src/ledger/journal/entry.ts'
import type { SegmentId } from '../../packages/myrmex/src/ledger/journal/segment.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

export const isSignedBy = (publicPem: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), publicPem, Buffer.from(signature, 'base64'))

export const auditLine = (call_id: string, more: Partial<CallRecord> = {}): CallRecord => ({
  call_id,
  time: 1_800_000_000_000,
  principal: 'ann',
  transport: 'direct',
  tool: 'shop.sell',
  version: '1.0.0',
  outcome: 'success',
  error_type: null,
  duration_ms: 3,
  run: null,
  step: null,
  approval: null,
  repeat_of: null,
  args: { item: call_id },
  args_hash: null,
  data: { sold: true },
  error: null,
  ...more,
})

/** Records it and waits until it is kept, whichever way the engine has. */
export async function recordLine(ledger: Ledger, recorded: CallRecord): Promise<void> {
  const kept = ledger.journal.record(recorded)
  // Answers leave after everybody who came in this turn was heard, and so their records become one group.
  await kept
  if (kept !== undefined && !(kept instanceof Promise)) kept.commit()
}

export interface WholeGroup {
  readonly chain: string
  readonly group: number
  /** as stored, without the entries */
  readonly lines: readonly string[]
}

export interface WholeJournal {
  /** groups that have records, chain by chain */
  readonly groups: readonly WholeGroup[]
  /** all records, whole, in that order */
  readonly lines: readonly CallRecord[]
  readonly callIds: readonly string[]
  /** chains whose newest record a signature covers */
  readonly sealed: readonly string[]
  readonly chains: readonly string[]
}

/** Reads everything and throws at the first thing that does not fit. */
export async function wholeJournal(ledger: Ledger): Promise<WholeJournal> {
  const readers = new Map<string, ChainReader>()
  for (const segment of await ledger.journal.store.segments()) {
    const chunks: Buffer[] = await Array.fromAsync(ledger.journal.store.read(segment))
    const reader = readers.get(segment.chain) ?? new ChainReader(ledger)
    readers.set(segment.chain, reader)
    reader.take(segment, Buffer.concat(chunks).toString())
  }
  const all = [...readers.values()]
  const lines = all.flatMap((reader) => reader.records)
  return {
    groups: all.flatMap((reader) => reader.groups),
    lines,
    callIds: lines.map(({ call_id }) => call_id),
    sealed: [...readers].filter(([, { unsealed }]) => unsealed === 0).map(([chain]) => chain),
    chains: [...readers.keys()],
  }
}

class ChainReader {
  readonly groups: WholeGroup[] = []
  readonly records: CallRecord[] = []
  unsealed = 0
  readonly #ledger: Ledger
  #head: ChainHead | undefined
  #journal = ''

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  take({ chain }: SegmentId, text: string): void {
    let lines: string[] = []
    for (const line of text.split('\n').slice(0, -1)) {
      if (!line.startsWith('{"group":')) {
        lines.push(line)
        continue
      }
      this.#group(chain, lines, JSON.parse(line))
      lines = []
    }
    if (lines.length > 0) throw new Error(`chain ${chain} ends in the middle of a group`)
  }

  #group(chain: string, lines: readonly string[], { group, mac }: { group: number; mac: string }): void {
    const [first = ''] = lines
    if (first.startsWith('{"kind":"segment"')) this.#journal = (JSON.parse(first) as SegmentEntry).journal
    const before = this.#head ?? genesis(this.#journal, chain)
    const hash = groupHash(before, lines.map((line) => `${line}\n`).join(''))
    if (group !== before.group + 1) throw new Error(`group ${group} of chain ${chain} comes after ${before.group}`)
    if (this.#ledger.key.groupMac(hash) !== mac)
      throw new Error(`the MAC of group ${group} of chain ${chain} does not fit`)
    for (const line of lines) if (line.startsWith('{"kind":"seal"')) this.#seal(chain, before, JSON.parse(line))
    this.#head = { group, hash }
    const own = lines.filter((line) => !line.startsWith('{"kind":'))
    let last: CallRecord | undefined
    for (const line of own) {
      last = expandRecord<CallRecord>(JSON.parse(line), last)
      this.records.push(last)
    }
    this.unsealed += own.length
    if (own.length > 0) this.groups.push({ chain, group, lines: own })
  }

  #seal(chain: string, head: ChainHead, { group, hash, signature }: SealEntry): void {
    const isTrue = group === head.group && hash === head.hash
    if (!isTrue || !isSignedBy(this.#ledger.key.publicPem, sealText(this.#journal, chain, head), signature))
      throw new Error(`the seal of group ${group} of chain ${chain} does not fit`)
    this.unsealed = 0
  }
}
