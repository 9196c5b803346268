/** A few kills of the shop; `npm run test:crash -- shop` is the whole of it, and repeats what failed here by `--seed`. */
import { LONG } from '@myrmex/testing/long'
import { expect, test } from 'vitest'
import { crashShop } from '../../crash/shop/crash-test.ts'

const KILLS = LONG ? 6 : 1

test('no order, reply or campaign of the shop is lost or made twice when it is killed', {
  timeout: 120_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const found = await crashShop({ kills: KILLS, seed, killsPerShop: KILLS })
  const expected = { kills: KILLS, lost: 0, doubled: 0, problem: undefined }
  expect(found, `seed ${seed}: ${found.problem}`).toMatchObject(expected)
  // It was at work, all together: one that is killed while it starts is not.
  expect(found.tally.cut).toBeGreaterThanOrEqual(1)
  expect(found.tally.shipped).toBeGreaterThanOrEqual(LONG ? 5 : 1)
})
