/** A member named `__proto__` in an upstream's answer reaches the caller as it is, or the answer is refused. It is never dropped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { fixturePath } from '@myrmex/testing/paths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { META, MODERN_VERSION } from '../protocol/versions.ts'
import { encode } from '../server/results/encode.ts'
import { type Host, openHost } from './host.ts'

const folder = mkdtempSync(join(tmpdir(), 'proto-'))
let host: Host

beforeAll(async () => {
  const tools = [{ name: 'say', description: 'Says it.', inputSchema: { type: 'object' } }]
  writeFileSync(join(folder, 'shape.json'), JSON.stringify({ tools }))
  const args = [fixturePath('host/scripted-upstream.mjs'), 'legacy']
  const endpoint = { where: 'child', command: process.execPath, args, env: { FOLDER: folder }, cwd: folder } as const
  host = await openHost({ settings: [serverSettings('far', endpoint, {})] })
})
afterAll(async () => {
  await host?.close()
  rmSync(folder, { recursive: true, force: true })
  expect({}).not.toHaveProperty('polluted')
})

describe.each(['legacy', 'modern'])('to a client of the %s era', (era) => {
  const session = () => host.server.session('stdio', { send: () => {} })
  async function answerTo(args: unknown): Promise<Record<string, unknown>> {
    const client = session()
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    if (era === 'legacy') await client.receive({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const _meta = era === 'modern' ? { [META.protocolVersion]: MODERN_VERSION, [META.clientCapabilities]: {} } : {}
    const reply = await client.receive({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'far.say', arguments: args, _meta },
    })
    // As on a wire.
    return JSON.parse(encode(reply as never)).result
  }

  test.each([
    ['its metadata', '{"content":[],"_meta":{"x":{PROTO},PROTO}}'],
    ['a field of the future', '{"content":[],"future":[{PROTO}],PROTO}'],
    ['a failure', '{"content":[{"type":"text","text":"no"}],"isError":true,"structuredContent":{PROTO}}'],
    [
      'an ErrorDetail',
      '{"content":[],"isError":true,"structuredContent":{"error_type":"X","error_message":"x","error_details":{PROTO}}}',
    ],
  ])('in %s', async (_where, text) => {
    const sent = text.replaceAll('PROTO', '"__proto__":{"polluted":true}')
    const { _meta, resultType: _, ...rest } = await answerTo({ text: sent })
    const { _meta: meta = {}, ...said } = JSON.parse(sent)
    expect(JSON.stringify(rest)).toBe(JSON.stringify(said))
    for (const key of Object.keys(meta))
      expect(JSON.stringify(Object.getOwnPropertyDescriptor(_meta, key)?.value)).toBe(
        JSON.stringify(Object.getOwnPropertyDescriptor(meta, key)?.value),
      )
  })

  test.each([
    ['in the data', '{"content":[],"structuredContent":{"a":{PROTO}}}', '/a/__proto__'],
    [
      'in a block, if the blocks are the data',
      '{"content":[{"type":"text","text":"a","_meta":{PROTO}}]}',
      '/content/0/_meta/__proto__',
    ],
  ])('%s, which is refused', async (_where, text, path) => {
    expect(await answerTo({ text: text.replace('PROTO', '"__proto__":{"polluted":true}') })).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'SerializationError', error_details: { path } },
    })
  })

  test('in the arguments, which are not forwarded', async () => {
    const args = JSON.parse('{"text":"{}","__proto__":{"polluted":true}}')
    expect(await answerTo(args)).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'SerializationError', error_details: { path: '/__proto__' } },
    })
  })
})
