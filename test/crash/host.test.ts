/** A few crashes and hangs behind a host; `npm run test:crash -- host` is the whole of it, and repeats what failed here by `--seed`. */
import { LONG } from '@myrmex/testing/long'
import { expect, test } from 'vitest'
import { crashHost, killHost } from '../../crash/host/crash-test.ts'
import { findProblems } from '../../crash/host/find-problems.ts'

const HARM = LONG
  ? { crashes: 12, hangs: 3, warm: { crashes: 4, hangs: 1 }, rounds: 1, victims: 5, steady: 2, callsEach: 80 }
  : { crashes: 3, hangs: 3, warm: { crashes: 1, hangs: 1 }, rounds: 1, victims: 3, steady: 2, callsEach: 60 }

test('servers that crash and hang take no call of the others with them, and leave nothing behind', {
  timeout: 120_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const found = await crashHost({ ...HARM, seed })
  expect(findProblems(found), `seed ${seed}`).toEqual([])
  expect(found).toMatchObject({ crashes: HARM.crashes, hangs: HARM.hangs, lost: 0, orphans: 0 })
  // There were calls all the while, and callers of the other servers got an error.
  expect(found.calls).toBeGreaterThan(LONG ? 200 : 100)
  expect(found.without).toBeGreaterThan(0)
})

test('no server outlives a host that is killed, nor what it had started', { timeout: 60_000 }, async () => {
  expect(await killHost(3, Math.floor(Math.random() * 2 ** 31))).toEqual({ before: 9, orphans: 0 })
})

const HOLDING = {
  servers: 2,
  files: 50,
  handles: { PipeWrap: 8, Timeout: 1 },
  heapBytes: 1000,
  outsideBytes: 1000,
  residentBytes: 1000,
  busyBytes: 1000,
}

test.each([
  ['file', { files: 51 }],
  ['handle', { handles: { PipeWrap: 9 } }],
  ['handle of a new kind', { handles: { FSEventWrap: 1 } }],
  ['timer than every server may have', { handles: { PipeWrap: 8, Timeout: 4 } }],
  ['memory in the heap', { heapBytes: 1101 }],
  ['memory outside of it', { outsideBytes: 1101 }],
  ['memory to the eyes of an operator', { residentBytes: 1101 }],
])('one more %s is reported', (_what, more) => {
  const well = {
    crashes: 1,
    hangs: 0,
    calls: 1,
    lost: 0,
    slowestMs: 1,
    without: 0,
    recoveryMs: 1,
    longestRecoveryMs: 1,
  }
  const found = (...holdings: (typeof HOLDING)[]) => findProblems({ ...well, holdings, orphans: 0, problems: [] })
  expect(found(HOLDING, HOLDING)).toEqual([])
  expect(found({ ...HOLDING, residentBytes: 2000 }, HOLDING, { ...HOLDING, ...more } as typeof HOLDING)).toHaveLength(1)
})
