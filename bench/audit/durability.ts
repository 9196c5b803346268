// What a group takes to write with each durability: by the clock, because with `power` the process waits for the disk. Both take turns, so
// that a busy disk slows both.
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { recordGroup } from '@myrmex/testing/ledger/sample-audit'
import { openLedger } from 'myrmex'
import { type Spread, spreadOf } from '../measure/spread.ts'
import { quartiles, table } from '../report.ts'
import { recordOf } from './fixture.ts'

const DURABILITIES = ['process', 'power'] as const
const SIZES = [1, 16, 64]
const GROUPS = 300

export async function durabilityTable(folder: string): Promise<string> {
  const ledgers = await Promise.all(
    DURABILITIES.map(async (durability) => ({
      durability,
      ledger: await openLedger(join(folder, durability, 'ledger.db'), { durability }),
    })),
  )
  const rows: string[][] = []
  for (const size of SIZES) {
    const times = new Map<string, number[]>(DURABILITIES.map((durability) => [durability, []]))
    for (let group = 0; group < GROUPS; group++) {
      for (const { durability, ledger } of ledgers) {
        const records = Array.from({ length: size }, (_, place) => recordOf(group * size + place, Date.now()))
        const start = performance.now()
        await recordGroup(ledger, records)
        times.get(durability)?.push((performance.now() - start) * 1000)
        await turn()
      }
    }
    const spreads = DURABILITIES.map((durability) => spreadOf(times.get(durability) ?? []))
    rows.push([String(size), ...spreads.map(shown), ...spreads.map(({ median }) => (median / size).toFixed(1))])
  }
  for (const { ledger } of ledgers) await ledger.close()
  return table(['records a group', ...DURABILITIES.map((one) => `${one}, µs a group`), 'a record', 'a record'], rows)
}

const shown = (spread: Spread): string =>
  `${spread.median.toFixed(1)} (${quartiles(spread, (value) => value.toFixed(1))})`
