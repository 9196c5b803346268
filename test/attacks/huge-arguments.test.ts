/**
 * Attacker: a remote caller
 * Attack: without any right, sends bodies of 15.8 MB whose values all break the schema, so that the error fills the memory.
 * Stopped by: scopes and limits come before validation. A refused call is recorded without reading large arguments, and an error
 * has at most 20 issues.
 *
 * Attack: sends 16 MB of brackets, or an object of 600,000 members, which take many seconds to parse, write or hash.
 * Stopped by: a message has at most a million arrays and objects, 10,000 levels and 100,000 members of large objects, which are counted
 * before it is parsed.
 */

import { createHash } from 'node:crypto'
import { post, send, serveHttp } from '@myrmex/testing/http-server'
import { LONG, longTest } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { waitedMs } from '@myrmex/testing/processor-wait'
import { type ServedProcess, serveProcess } from '@myrmex/testing/served-process'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const TOOLS = fixturePath('attacked-tools.ts')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const NOBODY = { authorization: 'Bearer nobody' }
const CALLER = { authorization: 'Bearer caller' }
const POLICY = {
  principals: [
    { id: 'nobody', token_sha256: sha256('nobody'), scopes: [] },
    { id: 'caller', token_sha256: sha256('caller'), scopes: ['*'] },
  ],
}
/** 15.8 MB: an array of numbers where objects are wanted. */
const HUGE = `[${'0,'.repeat(7_900_000 - 1)}0]`
const NAMES = ['zod', 'refined', 'plain', 'other', 'secret']

/** A small heap, so that what the attack took can be seen quickly. */
const serve = (policy: object = {}, heapMegabytes = 600): Promise<ServedProcess> =>
  serveProcess([TOOLS], { ...POLICY, ...policy }, { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` })

const callBody = (name: string, list = HUGE): string => `{"tool_name":"attacked.${name}","arguments":{"list":${list}}}`

/** How long the server takes for a small request while it does something else, without the time that other programs had the processor. */
async function longestPause(served: ServedProcess, work: Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  const over = work.finally(() => {
    isOver = true
  })
  const pids = [process.pid, served.process.pid ?? 0]
  while (!isOver) {
    const [start, waited] = [performance.now(), waitedMs(pids)]
    await fetch(`${served.origin}/healthz`).then((response) => response.text())
    longest = Math.max(longest, performance.now() - start - (waitedMs(pids) - waited))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await over
  return longest
}

describe('A caller without rights ends the server with a large array', () => {
  test.each(LONG ? NAMES : NAMES.slice(0, 1))(
    'attacked.%s: the call is refused for its scope, and nothing of the array is read',
    async (name) => {
      const served = await serve()
      const { json } = await post(`${served.origin}/call`, callBody(name), NOBODY)
      expect(json.error).toMatchObject({ error_type: 'PermissionError' })
      expect(JSON.stringify(json).length).toBeLessThan(1000)
      expect(served.isAlive()).toBe(true)
      expect(served.file.lines()).toMatchObject([
        { outcome: 'failure', error_type: 'PermissionError', tool: `attacked.${name}` },
      ])
    },
  )

  test('many such calls at once leave the server responsive, and each is recorded', async () => {
    // More would exceed what may arrive at the same time.
    const count = LONG ? 15 : 4
    // Too small for three parsed arrays of this size.
    const served = await serve({}, 250)
    const calls = Promise.all(
      Array.from({ length: count }, () => post(`${served.origin}/call`, callBody('zod'), NOBODY)),
    )
    const pause = await longestPause(served, calls)
    expect(served.isAlive()).toBe(true)
    expect(served.file.lines()).toHaveLength(count)
    // Reading 16 MB of JSON itself takes a while.
    expect(pause).toBeLessThan(10_000)
  })
})

describe('A caller over its limit ends the server with a large array', () => {
  test('after one call a minute every other is refused before its arguments are read', async () => {
    const served = await serve({ limits: { principal: { calls: 1, per_ms: 60_000 } } })
    await post(`${served.origin}/call`, callBody('zod', '[]'), CALLER)
    const { json } = await post(`${served.origin}/call`, callBody('zod'), CALLER)
    expect(json.error).toMatchObject({ error_type: 'ApiLimitExceeded' })
    expect(served.file.lines().at(-1)).toMatchObject({
      args: null,
      cut: [{ at: '/args', left_out: 'object' }],
      error_type: 'ApiLimitExceeded',
    })
  })
})

describe('A caller within its rights ends the server with values that all break the schema', () => {
  test.each(NAMES.slice(0, LONG ? 4 : 1))('attacked.%s: the error has at most 20 issues and is short', async (name) => {
    const served = await serve()
    const { json } = await post(`${served.origin}/call`, callBody(name), CALLER)
    expect(json.error).toMatchObject({ error_type: 'SchemaError' })
    expect(json.error.error_details.issues.length).toBeGreaterThan(0)
    expect(json.error.error_details.issues.length).toBeLessThanOrEqual(20)
    expect(JSON.stringify(json).length).toBeLessThan(20_000)
    const small = await post(`${served.origin}/call`, callBody(name, `[${'0,'.repeat(999)}0]`), CALLER)
    expect(small.json.error.error_details.issues).toHaveLength(20)
    expect(small.json.error.error_message).toContain('at most 20 are listed')
    expect(served.isAlive()).toBe(true)
  })

  longTest('a million secrets are neither looked for nor recorded', async () => {
    const served = await serve()
    const list = JSON.stringify(Array.from({ length: 1_000_000 }, (_, n) => `pin ${n}`))
    const { json } = await post(`${served.origin}/call`, callBody('secrets', list), CALLER)
    expect(json.status).toBe('success')
    expect(served.isAlive()).toBe(true)
    const [line] = served.file.lines()
    expect(line).toMatchObject({ outcome: 'success', tool: 'attacked.secrets' })
    expect(JSON.stringify(line)).not.toContain('pin')
  })

  longTest('a batch of large calls is bounded too', async () => {
    const served = await serve()
    const third = `[${'0,'.repeat(2_500_000)}0]`
    const batch = `{"calls":[${callBody('zod', third)},${callBody('plain', third)},${callBody('other', third)}]}`
    const { json } = await post(`${served.origin}/batch`, batch, CALLER)
    expect(JSON.stringify(json).length).toBeLessThan(60_000)
    expect(json.status).toBe('failure')
    expect(served.isAlive()).toBe(true)
  })
})

test.each(['[', '{"a":', '[],'])('16 MB of %s are refused before they are parsed', async (brackets) => {
  const served = await serveHttp()
  onTestFinished(() => served.close())
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const bodies = callBody('zod', `[${brackets.repeat(15_000_000 / brackets.length)}`)
  const { status, body } = await send(`${served.origin}/call`, 'POST', { 'content-type': 'application/json' }, bodies)
  expect(status).toBe(400)
  expect(body).toContain('arrays and objects')
  for (const [text] of parse.mock.calls) expect(text.length).toBeLessThan(1000)
})
