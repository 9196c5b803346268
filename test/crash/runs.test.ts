/** A few kills of leaders of runs; `npm run test:crash -- runs` is the whole of it, and repeats what failed here by `--seed`. */

import { LONG } from '@myrmex/testing/long'
import { freshDatabase } from '@myrmex/testing/postgres/fresh-database'
import { expect, test } from 'vitest'
import { crashRuns } from '../../crash/runs/crash-test.ts'

const KILLS = LONG ? { sqlite: 12, postgres: 3 } : { sqlite: 2, postgres: 1 }

test('every run ends and nothing in it happens twice when its leaders are killed', { timeout: 120_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const found = await crashRuns({ ...KILLS, seed, killsPerLedger: 12, patient: 0, freshDatabase })
  expect(found, `seed ${seed}: ${found.problem}`).toMatchObject({
    kills: KILLS.sqlite + KILLS.postgres,
    lost: 0,
    doubled: 0,
    problem: undefined,
  })
  // The leaders were busy, all together: one that is killed while it starts is not.
  expect(found.tally.sqlite.cut).toBeGreaterThanOrEqual(LONG ? 6 : 1)
  if (LONG) expect(found.tally.postgres.cut).toBeGreaterThanOrEqual(1)
})
