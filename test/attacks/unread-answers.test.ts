/**
 * Attacker: a remote caller
 * Attack: sends many requests on one HTTP connection without waiting for an answer, and reads none, so that every answer is kept in memory.
 * Stopped by: a connection is served one request at a time: the next one starts when the system has taken the last answer. A
 * connection with more than 16 waiting requests is closed.
 *
 * Attack: the same with many connections and one large answer each.
 * Stopped by: what one address and all together have not read is bounded. Above that, requests wait, and connections that take nothing
 * are closed with a reason in the log.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { createServer, listenHttp, tool } from 'myrmex'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { log } from '../../packages/myrmex/src/server/log.ts'

/** A tool whose result has this many bytes, and how often it runs. */
async function serve() {
  const seen = { runs: 0, running: 0, most: 0 }
  const text = tool({
    ...toolDefaults,
    name: 'big.text',
    input: z.object({ bytes: z.int(), note: z.string().optional() }),
    output: z.object({ text: z.string() }),
    run: async ({ bytes }) => {
      seen.runs++
      seen.most = Math.max(seen.most, ++seen.running)
      await wait(5)
      seen.running--
      return { text: `${seen.runs}`.padEnd(bytes, '.') }
    },
  })
  const listening = await listenHttp(createServer({ name: 's', version: '1.0.0', tools: [text] }), { port: 0 })
  onTestFinished(() => listening.close())
  const { port } = listening
  const callOf = (args: object): string => {
    const body = JSON.stringify({ tool_name: 'big.text', arguments: args })
    const head = `host: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
    return `POST /call HTTP/1.1\r\n${head}\r\n\r\n${body}`
  }
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { seen, open, callOf }
}

/** The warnings of the log. */
function warnings() {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => warn.mockRestore())
  return warn
}

test('requests that come without waiting are answered in order, one at a time', async () => {
  const { seen, open, callOf } = await serve()
  const socket = open()
  const calls = [{ bytes: 10 }, { bytes: 20 }, { bytes: 30, note: 'x'.repeat(300_000) }, { bytes: 40 }]
  socket.write(calls.map(callOf).join(''))
  let all = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (all += chunk))
  await vi.waitFor(() => expect(all.match(/"text":"\d/g)).toHaveLength(4), { timeout: 10_000 })
  expect(all.match(/"text":"\d/g)).toEqual(['"text":"1', '"text":"2', '"text":"3', '"text":"4'])
  expect(seen).toMatchObject({ runs: 4, most: 1 })
})

test('of requests whose answers nobody reads, only the first runs, and too many close the connection', async () => {
  const { seen, open, callOf } = await serve()
  const warn = warnings()
  const few = open()
  few.pause().write(callOf({ bytes: 16_000_000 }).repeat(10))
  const many = open()
  many.pause().write(callOf({ bytes: 16_000_000 }).repeat(50))
  await vi.waitFor(() => expect(JSON.stringify(warn.mock.calls)).toMatch(/without waiting/), { timeout: 10_000 })
  await wait(300)
  expect(seen.runs).toBeLessThanOrEqual(2)
})

test('of many connections that read nothing, some wait and the first are closed', async () => {
  const { seen, open, callOf } = await serve()
  const atFirstDrop: number[] = []
  warnings().mockImplementation(() => void atFirstDrop.push(seen.runs))
  const count = 14
  for (let n = 0; n < count; n++) {
    open()
      .pause()
      .write(callOf({ bytes: 12_000_000 }))
    // A call that has begun is not stopped: the next one comes after its answer.
    await vi.waitFor(() => expect(seen.runs).toBeGreaterThan(n), { timeout: 150 }).catch(() => {})
    await vi.waitFor(() => expect(seen.running).toBe(0))
    await wait(20)
  }
  await vi.waitFor(() => expect(atFirstDrop).not.toEqual([]), { timeout: 10_000 })
  expect(atFirstDrop[0]).toBeLessThan(10)
  // Those that waited are served in the end.
  await vi.waitFor(() => expect(seen.runs).toBe(count), { timeout: 15_000 })
})
