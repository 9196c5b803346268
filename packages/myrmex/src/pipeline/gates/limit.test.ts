/** The limit gate on a real ledger: exact to one call, true about when to come back, and on the record. */

import {
  type CallOutcome,
  type CountedTool,
  call,
  countedTool,
  type LedgerFile,
  principalNamed,
  serve,
} from '@myrmex/testing/gated-server'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { tool } from '../../tool/tool.ts'

const limited = (counted: CountedTool[], limits: object = {}, file?: LedgerFile) =>
  serve(counted, { policy: { limits }, ...(file && { file }) })

const LIMITED = { status: 'failure', error: { error_type: 'ApiLimitExceeded' } }
const passed = (all: CallOutcome[]): number => all.filter(({ status }) => status === 'success').length
const waitOf = ({ error }: CallOutcome): number => error?.error_details.retry_after_ms

/** The clock that limits are counted by, in the hand of the test. */
const stopClock = (at = Date.UTC(2026, 6, 1)) => {
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  return { forward: (ms: number) => vi.setSystemTime(Date.now() + ms) }
}
afterEach(() => vi.useRealTimers())

test('of 64 parallel callers exactly as many pass as the tool allows', async () => {
  const look = countedTool('shop.look', { limit: { calls: 10, per_ms: 3_600_000 } })
  const { server } = await limited([look])
  const all = await Promise.all(Array.from({ length: 64 }, (_, n) => call(server, 'shop.look', { n })))
  expect(passed(all)).toBe(10)
  expect(look.ran).toHaveLength(10)
  for (const one of all.filter(({ status }) => status !== 'success')) expect(one).toMatchObject(LIMITED)
})

test('two servers on one file count in the same place', async () => {
  const look = countedTool('shop.look', { limit: { calls: 10, per_ms: 3_600_000 } })
  const one = await limited([look])
  const two = await limited([look], {}, one.file)
  const all = await Promise.all(
    Array.from({ length: 64 }, (_, n) => call((n % 2 === 0 ? one : two).server, 'shop.look', { n })),
  )
  expect(passed(all)).toBe(10)
  expect(look.ran).toHaveLength(10)
})

test('a restart fills nothing', async () => {
  const look = countedTool('shop.look', { limit: { calls: 2, per_ms: 3_600_000 } })
  const before = await limited([look])
  for (let n = 0; n < 2; n++) expect(await call(before.server, 'shop.look')).toMatchObject({ status: 'success' })
  await before.ledger.close()
  const after = await limited([look], {}, before.file)
  expect(await call(after.server, 'shop.look')).toMatchObject(LIMITED)
})

test('the refusal says when to come back, and that is true to the millisecond', async () => {
  const clock = stopClock()
  const look = countedTool('shop.look', { limit: { calls: 3, per_ms: 1000 } })
  const { server } = await limited([look])
  for (let n = 0; n < 3; n++) expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
  const refused = await call(server, 'shop.look')
  expect(refused.error?.error_message).toMatch(/3 calls per 1000 ms.*Try again in 334 ms/)
  expect(waitOf(refused)).toBe(334)
  clock.forward(333)
  expect(waitOf(await call(server, 'shop.look'))).toBe(1)
  clock.forward(1)
  expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
  expect(await call(server, 'shop.look')).toMatchObject(LIMITED)
})

test('it fills evenly, up to what it holds and not above', async () => {
  const clock = stopClock()
  const look = countedTool('shop.look', { limit: { calls: 4, per_ms: 1000 } })
  const { server } = await limited([look])
  const burst = async (): Promise<number> =>
    passed(await Promise.all(Array.from({ length: 8 }, () => call(server, 'shop.look'))))
  expect(await burst()).toBe(4)
  clock.forward(500)
  expect(await burst()).toBe(2)
  clock.forward(24 * 3_600_000)
  expect(await burst()).toBe(4)
})

test('asking while it is empty does not put off the time', async () => {
  const clock = stopClock()
  const look = countedTool('shop.look', { limit: { calls: 1, per_ms: 1000 } })
  const { server } = await limited([look])
  expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
  for (let n = 0; n < 10; n++) {
    const late = waitOf(await call(server, 'shop.look')) - (1000 - n * 100)
    // Rounded up, so that a caller who waits that long is never too early.
    expect([0, 1]).toContain(late)
    clock.forward(100)
  }
  expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
})

test('a clock that is set back neither empties a bucket nor locks it', async () => {
  const clock = stopClock()
  const look = countedTool('shop.look', { limit: { calls: 2, per_ms: 1000 } })
  const { server } = await limited([look])
  expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
  clock.forward(-3_600_000)
  expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
  expect(await call(server, 'shop.look')).toMatchObject(LIMITED)
  clock.forward(-3_600_000)
  const refused = await call(server, 'shop.look')
  expect(refused).toMatchObject(LIMITED)
  clock.forward(waitOf(refused))
  expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
})

test('each principal has a bucket of its own', async () => {
  const look = countedTool('shop.look')
  const { server } = await limited([look], { principal: { calls: 2, per_ms: 3_600_000 } })
  for (const principal of [principalNamed('ada'), principalNamed('bob')]) {
    const all = await Promise.all(Array.from({ length: 5 }, () => call(server, 'shop.look', {}, { principal })))
    expect(passed(all)).toBe(2)
    expect(all.at(-1)).toMatchObject({ error: { error_details: { limit: `principal:${principal.id}` } } })
  }
})

test('over all calls there is one, and a call that one bucket refuses takes nothing from the others', async () => {
  const look = countedTool('shop.look')
  const seek = countedTool('shop.seek', { limit: { calls: 1, per_ms: 3_600_000 } })
  const { server } = await limited([look, seek], {
    all: { calls: 4, per_ms: 3_600_000 },
    principal: { calls: 3, per_ms: 3_600_000 },
  })
  const ada = { principal: principalNamed('ada') }
  expect(await call(server, 'shop.seek', {}, ada)).toMatchObject({ status: 'success' })
  for (let n = 0; n < 5; n++) {
    expect(await call(server, 'shop.seek', {}, ada)).toMatchObject({
      error: { error_details: { limit: 'tool:shop.seek' } },
    })
  }
  for (let n = 0; n < 2; n++) expect(await call(server, 'shop.look', {}, ada)).toMatchObject({ status: 'success' })
  expect(await call(server, 'shop.look', {}, ada)).toMatchObject({
    error: { error_details: { limit: 'principal:ada' } },
  })
  expect(await call(server, 'shop.look', {}, { principal: principalNamed('bob') })).toMatchObject({ status: 'success' })
  const last = await call(server, 'shop.look', {}, { principal: principalNamed('eve') })
  expect(last).toMatchObject({ error: { error_details: { limit: 'all' } } })
  expect(last.error?.error_message).toContain('for all calls is reached')
})

test("the operator's word stands above the author's", async () => {
  const look = countedTool('shop.look', { limit: { calls: 1, per_ms: 3_600_000 } })
  const seek = countedTool('shop.seek', { limit: { calls: 100, per_ms: 3_600_000 } })
  const { server } = await limited([look, seek], {
    tools: { 'shop.*': { calls: 2, per_ms: 3_600_000 }, 'shop.look': { calls: 3, per_ms: 3_600_000 } },
  })
  const tried = async (name: string) => passed(await Promise.all(Array.from({ length: 6 }, () => call(server, name))))
  expect([await tried('shop.look'), await tried('shop.seek')]).toEqual([3, 2])
})

test('what a tool calls in turn is counted like every other call', async () => {
  const look = countedTool('shop.look', { limit: { calls: 2, per_ms: 3_600_000 } })
  const outer = tool({
    ...toolDefaults,
    name: 'shop.outer',
    input: z.object({}),
    output: z.object({ statuses: z.array(z.string()) }),
    run: async (_input, ctx) => {
      const all = await Promise.all(Array.from({ length: 5 }, () => ctx.call('shop.look', {})))
      return { statuses: all.map(({ status }) => status) }
    },
  })
  const { server } = await limited([look, { tool: outer, ran: [] }])
  const { data } = await call(server, 'shop.outer')
  expect(data.statuses.filter((status: string) => status === 'success')).toHaveLength(2)
  expect(look.ran).toHaveLength(2)
})

test('a refused call is on the record', async () => {
  const look = countedTool('shop.look', { limit: { calls: 1, per_ms: 3_600_000 } })
  const { server, file } = await limited([look])
  await call(server, 'shop.look')
  const { call_id } = await call(server, 'shop.look', { n: 2 }, { principal: principalNamed('ada') })
  expect(file.lines().at(-1)).toMatchObject({
    call_id,
    tool: 'shop.look',
    principal: 'ada',
    outcome: 'failure',
    error_type: 'ApiLimitExceeded',
    args: { n: 2 },
  })
})

test('where the ledger cannot count nothing passes', async () => {
  const look = countedTool('shop.look', { limit: { calls: 10, per_ms: 1000 } })
  const { server, file } = await limited([look])
  file.exec('ALTER TABLE buckets RENAME TO gone')
  expect(await call(server, 'shop.look')).toMatchObject({ error: { error_type: 'UnavailableError' } })
  expect(look.ran).toHaveLength(0)
  file.exec('ALTER TABLE gone RENAME TO buckets')
  expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
})
