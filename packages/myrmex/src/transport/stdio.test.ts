/** A reader of stdio that is behind. test/stdio has the rest, with real processes. */
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { modernMeta } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { createServer } from '../server/server.ts'
import { tool } from '../tool/tool.ts'
import { serveStdio } from './stdio.ts'

/** Takes a write at a time, and the next one when `release` is called. */
class HeldOutput extends Writable {
  text = ''
  #taken: (() => void) | undefined
  #isOpen = false

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.text += chunk.toString()
    if (this.#isOpen) callback()
    else this.#taken = callback
  }

  release(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }

  open(): void {
    this.#isOpen = true
    this.release()
  }

  get ids(): number[] {
    return [...this.text.matchAll(/"id":(\d+),"result"/g)].map(([, id]) => Number(id))
  }
}

const large = tool({
  name: 'test.large',
  version: '1.0.0',
  description: `Listed with a long text. ${'Words. '.repeat(100_000)}`,
  input: z.object({}),
  output: z.object({}),
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'None.',
  examples: [],
  run: () => ({}),
})

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const request = (id: number): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta: META } })}\n`

test('while the reader is behind again with what it had left waiting, nothing more is read', async () => {
  const server = createServer({ name: 'test', version: '1.0.0', tools: [large] })
  const [input, output] = [new PassThrough(), new HeldOutput()]
  const { done } = serveStdio(server, { input, output })
  // Two of them are too much to wait for the reader, so the third waits unserved.
  input.write([1, 2, 3].map(request).join(''))
  await vi.waitFor(() => expect(input.isPaused()).toBe(true))
  while (output.writableNeedDrain) {
    output.release()
    await turn()
    if (output.ids.includes(3)) break
  }
  expect(output.ids).toEqual([1, 2, 3])
  expect(output.writableNeedDrain).toBe(true)
  expect(input.isPaused()).toBe(true)
  output.open()
  await vi.waitFor(() => expect(input.isPaused()).toBe(false))
  input.end(request(4))
  await done
  expect(output.ids).toEqual([1, 2, 3, 4])
})

test('an answer is not written in one piece with the last progress report of its request', async () => {
  const counts = tool({
    ...toolDefaults,
    name: 'test.counts',
    input: z.object({}),
    output: z.object({}),
    run: (_input, ctx) => {
      ctx.progress(1)
      ctx.emit({ part: 1 })
      return {}
    },
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { stop, done } = serveStdio(createServer({ name: 's', version: '1.0.0', tools: [counts] }), { input, output })
  const call = { name: 'test.counts', arguments: {}, _meta: { ...modernMeta(), progressToken: 'p' } }
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: call })}\n`)
  const chunks: string[] = []
  for await (const chunk of output) {
    chunks.push(String(chunk))
    if (String(chunk).includes('"id":7')) break
  }
  expect(chunks.map((chunk) => chunk.match(/"(progress|id)":/g))).toEqual([['"progress":', '"progress":'], ['"id":']])
  stop()
  await done
})
