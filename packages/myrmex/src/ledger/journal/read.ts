/** Reads audit records in the order in which their chains were written, a page at a time. */
import { setTimeout as pause } from 'node:timers/promises'
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import { type AuditRecord, type CallFields, expandRecord } from '../audit/call-record.ts'
import { LedgerError } from '../ledger-error.ts'
import { ENTRY_START } from './entry.ts'
import { readGroups, type StoredGroup } from './read-groups.ts'
import { compareSegments, type SegmentId, type SegmentPosition } from './segment.ts'
import type { JournalStore } from './store.ts'

/** Calls that began in this period, in milliseconds since the epoch, both inclusive. */
export interface AuditPeriod {
  readonly since?: number
  readonly until?: number
}

/** Chain by chain. */
export async function* readRecords(store: JournalStore, period: AuditPeriod = {}): AsyncGenerator<AuditRecord> {
  const { since = 0, until = Number.MAX_SAFE_INTEGER } = period
  for (const segment of await store.segments()) {
    for await (const { groups } of readGroups(store, segment)) {
      for (const group of groups)
        for (const record of recordsOf(group, segment.chain))
          if (record.time >= since && record.time <= until) yield record
    }
  }
}

/** The records of a group, for people. */
export function recordsOf({ group, lines }: Pick<StoredGroup, 'group' | 'lines'>, chain: string): AuditRecord[] {
  return parseRecords(lines).map((fields, place) => ({
    record: recordId(chain, group, place),
    ...fields,
    ...hashed(fields),
  }))
}

/** The records in these lines. Entries, such as decisions and signatures, are not records. */
export function parseRecords(lines: string): CallFields[] {
  const records: CallFields[] = []
  let before: CallFields | undefined
  for (const line of lines.split('\n')) {
    if (line === '' || line.startsWith(ENTRY_START)) continue
    // A record leaves out some of what is the same in the record before it.
    before = expandRecord<CallFields>(parsed(line), before)
    records.push(before)
  }
  return records
}

function parsed(line: string): object {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new LedgerError('has a record that is not JSON; myrmex audit verify says where', error)
  }
}

/** Where a record is: its chain, its group, and its place among the records of that group. */
export const recordId = (chain: string, group: number, place: number): string => `${chain}/${group}/${place}`

/** Stored only where the arguments are not all there; otherwise it follows from them. */
function hashed({ args, args_hash }: { args?: unknown; args_hash?: string }): { args_hash?: string } {
  if (args_hash !== undefined) return { args_hash }
  // Arguments are an object. Null is in the place of those that nobody read.
  return args === undefined || args === null ? {} : { args_hash: argsHash(args) }
}

export const argsHash = (args: unknown): string => crypto.hash('sha256', canonical(args), 'hex')

const LOOK_EVERY_MS = 200

/** Where each chain is to be read on from. */
export class JournalCursor {
  readonly #store: JournalStore
  readonly #marked: (() => Promise<ReadonlySet<string>>) | undefined
  /** the chains in the mark when it last read */
  #before: ReadonlySet<string> = new Set()
  readonly #next = new Map<string, { segment: SegmentId; from: SegmentPosition }>()

  /** `marked`: the chains in the mark. A journal has thousands that have ended, which need not be looked at again. */
  constructor(store: JournalStore, marked?: () => Promise<ReadonlySet<string>>) {
    this.#store = store
    this.#marked = marked
  }

  /** Skips everything that is there now. */
  async skipToEnd(): Promise<this> {
    this.#before = (await this.#marked?.()) ?? this.#before
    const last = new Map((await this.#store.segments()).map((segment) => [segment.chain, segment]))
    for (const [chain, segment] of last) this.#next.set(chain, { segment, from: await this.#store.end(segment) })
    return this
  }

  /** The groups that were written since. */
  async *read(): AsyncGenerator<{ segment: SegmentId; group: StoredGroup }> {
    const marked = await this.#marked?.()
    // A chain that has left the mark since was still written meanwhile.
    const open = marked?.union(this.#before)
    for (const segment of [...(await this.#store.segments())].sort(compareSegments)) {
      const next = this.#next.get(segment.chain)
      const isKnown = next !== undefined && segment.number <= next.segment.number
      if (isKnown && (segment.number < next.segment.number || open?.has(segment.chain) === false)) continue
      let from = next?.segment.number === segment.number ? next.from : { group: 0, offset: 0 }
      this.#next.set(segment.chain, { segment, from })
      for await (const { groups } of readGroups(this.#store, segment, from)) {
        for (const group of groups) {
          from = { group: group.group + 1, offset: group.end }
          this.#next.set(segment.chain, { segment, from })
          yield { segment, group }
        }
      }
    }
    this.#before = marked ?? this.#before
  }
}

/** Yields the records that are written from now on, a group at a time, until the signal is aborted. */
export async function* followRecords(cursor: JournalCursor, signal: AbortSignal): AsyncGenerator<AuditRecord[]> {
  while (!signal.aborted) {
    for await (const { segment, group } of cursor.read()) {
      const records = recordsOf(group, segment.chain)
      if (records.length > 0) yield records
      if (signal.aborted) return
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}
