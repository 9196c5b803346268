import { serverSettings } from '@myrmex/testing/host/server-settings'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { Forwarder } from '../forward/forwarder.ts'
import { RecentSecrets } from '../forward/recent-secrets.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { proxiedTool } from './proxied-tool.ts'

/** Nothing is called here: what a definition becomes needs no server behind it. */
const endpoint = { where: 'child', command: 'nowhere', args: [], env: {}, cwd: '.' } as const
const passage = new Forwarder({ settings: serverSettings('srv', endpoint) } as Upstream, new RecentSecrets())
const made = (listed: JsonObject, settings = {}) =>
  proxiedTool({
    forwarder: passage,
    listed: { name: 'x', inputSchema: { type: 'object' }, ...listed },
    name: 'srv.x',
    settings,
    timeoutMs: 1000,
    mayReturnTask: false,
    definition: { isOutdated: false },
  })

test('everything that a server says of a tool is in its definition', () => {
  const hashes = [
    {},
    { title: 'X' },
    { description: 'It does.' },
    { annotations: { readOnlyHint: true } },
    { annotations: { openWorldHint: true } },
    { outputSchema: { type: 'object', properties: { a: {} } } },
    { outputSchema: { type: 'array' } },
    { icons: [] },
    { _meta: { vendor: 1 } },
    { execution: { taskSupport: 'optional' } },
  ].map((listed) => made(listed).hash)
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(made({}).hash).toBe(hashes[0])
})

test('the operator’s word counts for more than the server’s', () => {
  const annotations = { readOnlyHint: true }
  expect(made({ annotations })).toMatchObject({
    destructive: false,
    timeout: 1000,
    version: '0.0.0',
    origin: 'upstream',
  })
  expect(made({ annotations }, { destructive: true, timeoutMs: 5 })).toMatchObject({ destructive: true, timeout: 5 })
  expect(made({})).toMatchObject({ destructive: true, idempotent: false })
})

test('a dry run is offered if the server lists one, unless the operator does not believe what it says about the tool', () => {
  const [_meta, annotations] = [{ 'myrmex/dryRun': true }, { readOnlyHint: true }]
  expect(made({}).dryRun).toBeUndefined()
  expect(made({ _meta: { 'myrmex/dryRun': 'true' } }).dryRun).toBeUndefined()
  expect(made({ _meta }).dryRun).toBeDefined()
  expect(made({ _meta, annotations }).dryRun).toBeDefined()
  expect(made({ _meta, annotations }, { destructive: true }).dryRun).toBeUndefined()
})

test('what nobody can read is refused', () => {
  for (const odd of [
    { title: 5 },
    { description: {} },
    { annotations: 'no' },
    { _meta: 7 },
    { inputSchema: { type: 'array' } },
  ]) {
    expect(() => made(odd as JsonObject)).toThrow(expect.objectContaining({ error_type: 'RegistrationError' }))
  }
})
