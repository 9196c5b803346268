/** A few crashes and hangs behind a host; `npm run test:crash -- host` is the whole of it, and repeats what failed here by `--seed`. */
import { expect, test } from 'vitest'
import { crashHost, killHost } from '../crash/host/host.ts'
import { verdict } from '../crash/host/verdict.ts'

const HARM = { crashes: 12, hangs: 3, victims: 5, steady: 2 }

test('servers that crash and hang take no call of the others with them, and leave nothing behind', {
  timeout: 120_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const found = await crashHost({ ...HARM, seed })
  expect(verdict(found), `seed ${seed}`).toEqual([])
  expect(found).toMatchObject({ crashes: HARM.crashes, hangs: HARM.hangs, lost: 0, orphans: 0 })
  // There were calls all the while, also on a machine that has much else to do, and callers were told.
  expect(found.calls).toBeGreaterThan(2 * (HARM.crashes + HARM.hangs))
  expect(found.without).toBeGreaterThan(0)
})

test('no server outlives a host that is killed, nor what it had started', { timeout: 60_000 }, async () => {
  expect(await killHost(3, Math.floor(Math.random() * 2 ** 31))).toEqual({ before: 9, orphans: 0 })
})
