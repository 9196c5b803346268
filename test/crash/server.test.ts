/** A few kills of each kind; `npm run test:crash` is the whole of it, and how to repeat what failed here: `--seed`. */

import { LONG } from '@myrmex/testing/long'
import { freshDatabase } from '@myrmex/testing/postgres/fresh-database'
import { expect, test } from 'vitest'
import { type CrashResult, crash } from '../../crash/server/crash-test.ts'

const KILLS = LONG ? { sqlite: 12, postgres: 3 } : { sqlite: 4, postgres: 1 }
const MIN_WORK = LONG
  ? { answers: 100, cutOff: 100, lines: 100, keys: 20, tasks: 5, approvals: 1 }
  : { answers: 40, cutOff: 20, lines: 40, keys: 5, tasks: 1, approvals: 0 }

test('nothing answered is lost and nothing is doubled when a busy server is killed', { timeout: 240_000 }, async () => {
  const rounds: CrashResult[] = []
  // A kill tests something only if the server was busy. On a busy machine servers are killed while they start, so more are needed.
  do {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const found = await crash({ ...KILLS, seed, killsPerLedger: 12, patient: false, freshDatabase })
    expect(found, `seed ${seed}: ${found.problem}`).toMatchObject({
      kills: KILLS.sqlite + KILLS.postgres,
      lost: 0,
      doubled: 0,
      problem: undefined,
    })
    rounds.push(found)
  } while (!wereBusy(rounds))
})

function wereBusy(rounds: readonly CrashResult[]): boolean {
  const tallies = rounds.flatMap((round) => round.tallies)
  return Object.entries(MIN_WORK).every(
    ([what, count]) => tallies.reduce((sum, tally) => sum + tally[what as keyof typeof MIN_WORK], 0) >= count,
  )
}
