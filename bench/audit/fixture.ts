// A journal of many records to measure with, written through the ledger's own recorder, group by group, as a server writes it: the event
// loop turns between groups, so signatures follow as they do there.
import { statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { recordGroup, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { openLedger } from 'myrmex'
import { ownCpu } from '../measure/cpu.ts'

/** One call in a hundred is of the rare tool, so that a query has to look for it. */
export const RARE_TOOL = 'bench.echo'
const RARE_EVERY = 100

export interface JournalShape {
  readonly groupSize: number
  /** a signature for every group, as a server writes it that is called now and then; otherwise one for all groups of 10 ms */
  readonly signed?: true
}

/** Resolves to the processor time a record took to write, in microseconds. */
export async function writeJournal(
  ledgerFile: string,
  records: number,
  { groupSize, signed }: JournalShape,
): Promise<number> {
  const ledger = await openLedger(ledgerFile)
  const start = ownCpu()
  try {
    for (let first = 0; first < records; first += groupSize) {
      const time = Date.now()
      const size = Math.min(groupSize, records - first)
      await recordGroup(
        ledger,
        Array.from({ length: size }, (_, place) => recordOf(first + place, time)),
      )
      await (signed ? ledger.journal.flush() : turn())
    }
    await ledger.journal.flush()
  } finally {
    await ledger.close()
  }
  return (ownCpu() - start) / records
}

/** As a small call of the bench's own tools leaves it. */
export const recordOf = (number: number, time: number) =>
  sampleLine(number, {
    call_id: `Ab3_xyZ9-${number}`,
    time,
    principal: 'local',
    tool: number % RARE_EVERY === 0 ? RARE_TOOL : 'bench.add',
    duration_ms: 0,
    args: { a: number, b: 2 * number + 1 },
    data: { sum: 3 * number + 1 },
  })

/** Bytes that all files of a folder take on disk. */
export async function bytesOnDisk(folder: string): Promise<number> {
  let bytes = 0
  for await (const file of glob('**/*', { cwd: folder })) {
    const stat = statSync(join(folder, file))
    if (stat.isFile()) bytes += stat.blocks * 512
  }
  return bytes
}
