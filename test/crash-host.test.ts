/** A few crashes and hangs behind a host; `npm run test:crash -- host` is the whole of it, and repeats what failed here by `--seed`. */
import { expect, test } from 'vitest'
import { crashHost, killHost } from '../crash/host/host.ts'
import { verdict } from '../crash/host/verdict.ts'

const HARM = { crashes: 12, hangs: 3, warm: { crashes: 4, hangs: 1 }, rounds: 1, victims: 5, steady: 2, callsEach: 80 }

test('servers that crash and hang take no call of the others with them, and leave nothing behind', {
  timeout: 120_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const found = await crashHost({ ...HARM, seed })
  expect(verdict(found), `seed ${seed}`).toEqual([])
  expect(found).toMatchObject({ crashes: HARM.crashes, hangs: HARM.hangs, lost: 0, orphans: 0 })
  // There were calls all the while, and callers of the others were told.
  expect(found.calls).toBeGreaterThan(200)
  expect(found.without).toBeGreaterThan(0)
})

test('no server outlives a host that is killed, nor what it had started', { timeout: 60_000 }, async () => {
  expect(await killHost(3, Math.floor(Math.random() * 2 ** 31))).toEqual({ before: 9, orphans: 0 })
})
