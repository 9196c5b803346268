/** stdio as a real child process: framing, order, back-pressure, a clean stdout, and a clean end. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LONG, longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { afterEach, expect, test, vi } from 'vitest'

const children: StdioChild[] = []
const start = async () => {
  const child = new StdioChild()
  children.push(child)
  await child.initialize()
  return child
}
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})

test('many messages in one chunk are all answered, in order where tools are synchronous', async () => {
  const child = await start()
  const ids = Array.from({ length: 500 }, (_, i) => i)
  child.write(
    ids
      .map(
        (id) =>
          `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'add', arguments: { a: id, b: 1 } } })}\n`,
      )
      .join(''),
  )
  await child.answer(499)
  const answers = child.lines.slice(1)
  expect(answers.map(({ id }) => id)).toEqual(ids)
  expect(answers.every(({ id, result }) => result.structuredContent.sum === (id as number) + 1)).toBe(true)
})

test('a frame cut anywhere, also inside a character, is put together again', async () => {
  const child = await start()
  const frame = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { value: 'ñ🐜漢' } } })}\r\n`,
  )
  for (const byte of frame) {
    child.write(Buffer.from([byte]))
    await new Promise(setImmediate)
  }
  expect((await child.answer(1)).result.structuredContent).toEqual({ value: 'ñ🐜漢' })
})

test('a 10 MB argument and a 10 MB answer pass', async () => {
  const child = await start()
  child.call(1, 'echo', { value: 'y'.repeat(10_000_000) })
  expect((await child.answer(1)).result.structuredContent.value).toHaveLength(10_000_000)
})

longTest('blank lines are nothing, and a broken line is answered without ending the connection', async () => {
  const child = await start()
  child.write('\n\r\n  {"half": \n')
  child.call(1, 'add', { a: 1, b: 1 })
  await child.answer(1)
  expect(child.lines.slice(1)).toMatchObject([{ error: { code: -32700 } }, { id: 1 }])
})

test('nothing reaches stdout that is not a message, whatever tools print', async () => {
  const child = await start()
  child.call(1, 'noisy', {})
  await child.answer(1)
  for (const line of child.raw) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0')
  await child.until(() => child.stderr.includes('stdout.write from a tool'))
  expect(child.stderr).toContain('noise while loading')
  expect(child.stderr).toContain('console.log from a tool')
})

test('a reader that does not read slows the server down instead of filling its memory, and loses nothing', async () => {
  const child = await start()
  child.process.stdout?.pause()
  for (let i = 0; i < 200; i++) child.call(i, 'big', { size: 200_000 })
  await vi.waitFor(() => expect(child.process.stdout?.readableLength).toBeGreaterThan(0))
  child.process.stdout?.resume()
  await child.answer(199)
  expect(child.lines.filter(({ result }) => result?.structuredContent?.text?.length === 200_000)).toHaveLength(200)
})

test.runIf(LONG).each([
  ['files', '"$0" "$@" < requests > answers'],
  ['pipes', 'cat requests | "$0" "$@" | cat > answers'],
])('requests and answers may also be in %s', (_what, script) => {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-stdio-'))
  try {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const calls = Array.from({ length: 3000 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { value: `${id} ${'y'.repeat(id)}` } },
    }))
    const requests = [{ jsonrpc: '2.0', id: 'init', method: 'initialize', params }, ...calls]
    writeFileSync(join(folder, 'requests'), requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
    execFileSync('sh', ['-c', script, process.execPath, CLI, 'serve', fixturePath('all.tools.ts')], {
      cwd: folder,
      stdio: 'pipe',
    })
    const answers = readFileSync(join(folder, 'answers'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.slice(1).map(({ id, result }) => [id, result.structuredContent.value])).toEqual(
      calls.map(({ id, params }) => [id, params.arguments.value]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

longTest('an empty input ends the server with 0', () => {
  expect(() =>
    execFileSync(process.execPath, [CLI, 'serve', fixturePath('all.tools.ts')], { stdio: 'ignore' }),
  ).not.toThrow()
})

test('at EOF what is in flight is answered before it exits with 0', async () => {
  const child = await start()
  child.call(1, 'sleep', { ms: 300 })
  child.call(2, 'sleep', { ms: 100 })
  expect(await child.end()).toBe(0)
  expect(
    child.lines
      .slice(1)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([1, 2])
})

longTest('SIGTERM does the same', async () => {
  const child = await start()
  child.call(1, 'sleep', { ms: 300 })
  child.call(0, 'add', { a: 1, b: 1 })
  await child.answer(0)
  child.process.kill('SIGTERM')
  expect(await child.exited()).toBe(0)
  expect(child.lines.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { slept: 300 } } })
})

longTest('half a frame at EOF is a parse error, not silence', async () => {
  const child = await start()
  child.write('{"jsonrpc":"2.0","id":1,"meth')
  expect(await child.end()).toBe(0)
  expect(child.lines.at(-1)).toMatchObject({ error: { code: -32700 } })
})

test('a cancelled call stops inside the tool', async () => {
  const child = await start()
  child.call(1, 'sleep', { ms: 60_000 })
  child.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  await child.until(() => child.stderr.includes('sleep aborted'))
  expect(await child.end()).toBe(0)
  expect(child.lines.some(({ id }) => id === 1)).toBe(false)
})

test('whatever a tool throws, the server lives on', async () => {
  const child = await start()
  for (const [id, what] of ['nothing', 'bare', 'string', 'proxy'].entries()) {
    child.call(id, 'throws', { what })
    expect((await child.answer(id)).result.structuredContent.error_type).toBe('ToolExecutionError')
  }
})

longTest('a promise that a tool forgot is reported, and harms nobody', async () => {
  const child = await start()
  child.call(1, 'careless', { how: 'promise' })
  await child.answer(1)
  await child.until(() => child.stderr.includes('did not handle a rejected promise'))
  child.call(2, 'add', { a: 1, b: 1 })
  expect((await child.answer(2)).result.structuredContent).toEqual({ sum: 2 })
})

test('what a tool throws behind our back ends the server with 1, after what is in flight', async () => {
  const child = await start()
  child.call(1, 'sleep', { ms: 300 })
  child.call(2, 'careless', { how: 'timer' })
  expect(await child.exited()).toBe(1)
  expect(child.lines.slice(1).map(({ id }) => id)).toEqual([2, 1])
})

test('an undeclared error leaves its text in the log and a reference with the caller', async () => {
  const child = await start()
  child.call(1, 'fails', {})
  const { result } = await child.answer(1)
  expect(JSON.stringify(result)).not.toMatch(/hunter2|\.ts:/)
  await child.until(() => child.stderr.includes('hunter2'))
  expect(child.stderr).toContain(result.structuredContent.error_details.call_id)
})
