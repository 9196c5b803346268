/** The audit record of a call has the JSON-RPC error of its upstream, with code and message, bounded and without secrets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { fixturePath } from '@myrmex/testing/paths'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderRecord } from '../ledger/audit/call-record.ts'
import { MemoryRecorder } from '../pipeline/audit/memory-recorder.ts'
import { type Host, openHost } from './host.ts'

const SECRET = 'tok-4f9d-secret'
const recorder = new MemoryRecorder()
const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
let host: Host

beforeAll(async () => {
  const tools = [{ name: 'fail', description: 'Fails as told.', inputSchema: { type: 'object' } }]
  writeFileSync(join(folder, 'shape.json'), JSON.stringify({ tools }))
  const args = [fixturePath('host/scripted-upstream.mjs'), 'legacy']
  const endpoint = { where: 'child', command: process.execPath, args, env: { FOLDER: folder }, cwd: folder } as const
  host = await openHost({ settings: [serverSettings('far', endpoint, { secrets: [SECRET] })], recorder })
})
afterAll(async () => {
  await host?.close()
  rmSync(folder, { recursive: true, force: true })
})

const recorded = async (error: object) => {
  const client = await rawClient(host.server, { era: 'legacy' })
  const told = await client.request('tools/call', { name: 'far.fail', arguments: { error } }).catch((thrown) => thrown)
  const line = recorder.records().at(-1)
  if (line === undefined) throw new Error('nothing was recorded')
  return { told, line: JSON.parse(renderRecord(line)) }
}

test.each<[string, object, object]>([
  ['an internal error', { code: -32603, message: 'no database' }, { code: -32603 }],
  [
    'invalid params',
    { code: -32602, message: 'no such thing', data: { at: '/x' } },
    { code: -32602, data: { at: '/x' } },
  ],
  ['a code of its own', { code: 7, message: 'seven' }, { code: 7 }],
])('%s of an upstream is a failure with its code and message', async (_what, error, error_details) => {
  const { told, line } = await recorded(error)
  expect(told).toEqual(error)
  expect(line).toMatchObject({
    outcome: 'failure',
    error_type: 'ToolExecutionError',
    error: { error_message: (error as { message: string }).message, error_details },
  })
})

test('a hostile one is bounded, and names no secret of the configuration', async () => {
  const message = `${SECRET} ${'m'.repeat(500_000)}`
  const { line } = await recorded({ code: -32603, message, data: { error_type: 'E'.repeat(100_000), token: SECRET } })
  // The arguments of this test have it, as the caller sent them.
  const { args: _, ...rest } = line
  const text = JSON.stringify(rest)
  expect(text.includes(SECRET)).toBe(false)
  expect(text.length).toBeLessThan(70_000)
  expect(line.error.error_message.startsWith('[secret] mmm')).toBe(true)
  expect(line.error_type).toHaveLength(200)
  expect(line.cut).toContainEqual(expect.objectContaining({ at: '/error/error_message' }))
})

test.each([
  ['no message', { code: -32000 }, 'The server reported an error without a message.'],
  ['no code', { message: 'x' }, 'x'],
])('one with %s has a cause too', async (_what, error, error_message) => {
  expect((await recorded(error)).line).toMatchObject({ outcome: 'failure', error: { error_message } })
})
