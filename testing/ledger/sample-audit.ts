/** Ledgers with an audit to look at: real ones, written through their own recorder, group by group. */
import type { CallRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

/** When the first sample call was made, and how long after it the next group is. */
export const BEGIN = Date.UTC(2026, 2, 31, 12)

/** A call like any other: what it is does not matter, only that each is different. */
export function sampleLine(number: number, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    call_id: `call-${number}`,
    time: BEGIN + number,
    principal: number % 3 === 0 ? 'ada' : 'local',
    transport: 'stdio',
    tool: number % 2 === 0 ? 'shop.refund' : 'math.add',
    version: '1.0.0',
    outcome: 'success',
    error_type: null,
    duration_ms: number % 5,
    run: null,
    step: null,
    approval: null,
    repeat_of: null,
    args: { a: number, text: 'ä "quoted" \u2028 line\nbreak' },
    args_hash: null,
    data: { sum: number + 1 },
    error: null,
    ...changes,
  }
}

/** Records these lines as one group and waits until it is durable. */
export async function recordGroup(ledger: Ledger, lines: readonly CallRecord[]): Promise<void> {
  const kept = lines.map((line) => ledger.journal.record(line))
  for (const one of kept) {
    if (one instanceof Promise) await one
    else one?.commit()
  }
}

export interface SampleGroup {
  readonly lines: number
  /** signed at once, and not together with a later one */
  readonly sealed?: boolean
}

/** Groups of sample lines, `apartMs` from one to the next. All is durable and signed in the end. */
export async function recordSample(ledger: Ledger, groups: readonly SampleGroup[], apartMs = 5): Promise<void> {
  let number = 0
  for (const [index, { lines, sealed }] of groups.entries()) {
    const time = BEGIN + index * apartMs
    const group = Array.from({ length: lines }, () => sampleLine(++number, { time }))
    await recordGroup(ledger, group)
    if (sealed) await ledger.journal.flush()
  }
  await ledger.journal.flush()
}
