/** A few kills of each kind; `npm run test:crash` is the whole of it, and how to repeat what failed here: `--seed`. */

import { LONG } from '@myrmex/testing/long'
import { freshDatabase } from '@myrmex/testing/postgres/fresh-database'
import { expect, test } from 'vitest'
import { crash } from '../../crash/server/crash-test.ts'

const KILLS = LONG ? { sqlite: 12, postgres: 3 } : { sqlite: 4, postgres: 1 }

test('nothing answered is lost and nothing is doubled when a busy server is killed', { timeout: 90_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const found = await crash({ ...KILLS, seed, killsPerLedger: 12, patient: false, freshDatabase })
  expect(found, `seed ${seed}: ${found.problem}`).toMatchObject({
    kills: KILLS.sqlite + KILLS.postgres,
    lost: 0,
    doubled: 0,
    problem: undefined,
  })
  // The servers were busy, all together: one that is killed while it starts is not. A short run on a busy machine may have no task yet.
  const least = LONG
    ? { answers: 100, cutOff: 100, lines: 100, keys: 20, tasks: 5, approvals: 1 }
    : { answers: 1, lines: 1, keys: 1 }
  for (const [what, count] of Object.entries(least)) {
    const sum = found.tallies.reduce((all, one) => all + one[what as keyof typeof least], 0)
    expect(sum, what).toBeGreaterThanOrEqual(count)
  }
})
