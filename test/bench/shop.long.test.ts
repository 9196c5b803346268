/** The bench of the shop in short: one world, and the fleet earns more than who does not think; `npm run bench -- shop` has it all. */
import { expect, test } from 'vitest'
import { playSeed } from '../../bench/shop/run.ts'

test('over three weeks the fleet earns more than any naive way, and not more than somebody could who knew everything', async () => {
  const { fleet, naive, oracle } = await playSeed(201, 21, 0)
  const best = Math.max(...naive.map(({ profit }) => profit))
  expect(naive.map(({ name }) => name)).toEqual(['random product', 'cheapest supplier', 'one campaign'])
  expect(fleet.profit).toBeGreaterThan(Math.max(0, best))
  expect(fleet.profit).toBeLessThan(oracle.profit * 1.2)
  // The account's cap of 50 a day holds for everybody.
  for (const { ads } of [fleet, oracle, ...naive]) expect(ads).toBeLessThanOrEqual(21 * 50)
}, 60_000)
