/**
 * Every request that reaches a tool, a resource, a prompt, an agent or an upstream, by every transport, in either era, as principals with
 * and without scopes: scope, trust, limit, middleware and audit hold for each, and none runs if a dry run is asked for. What is reached notes it;
 * what is refused must not be noted.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LedgerFile } from '@myrmex/testing/gated-server'
import { type ChangingServer, changingServer } from '@myrmex/testing/host/changing-server'
import type { RpcAnswer } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import {
  agent,
  createServer,
  type Ledger,
  type Middleware,
  parsePolicy,
  prompt,
  resource,
  type Server,
  type Tool,
  tool,
} from 'myrmex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, openHost } from '../../packages/myrmex/src/host/host.ts'
import { addSearchTools } from '../../packages/myrmex/src/host/search/search-tools.ts'
import {
  type Connections,
  connectEvery,
  ERAS,
  type Era,
  type Identity,
  principalsOf,
  TRANSPORTS,
} from './connections.ts'

/** Traces of the agent's own code. */
const reached: string[] = []
/** The names that the servers' middleware saw. */
const passed: string[] = []
const note: Middleware = (call, next) => {
  passed.push(call.name)
  return next()
}
const OBJECT = { type: 'object' } as const

const ops = agent({
  name: 'ops',
  tools: [
    tool({
      ...toolDefaults,
      name: 'ops.look',
      input: OBJECT,
      output: OBJECT,
      run: () => ({ n: reached.push('look') }),
    }),
  ],
  prompts: [
    prompt({
      name: 'greet',
      arguments: [{ name: 'who', complete: () => [String(reached.push('complete'))] }],
      get: () => String(reached.push('greet')),
    }),
  ],
  resources: [
    resource({
      uri: 'ops://one',
      name: 'one',
      read: () => String(reached.push('read')),
      version: () => 1,
    }),
    resource({
      uriTemplate: 'ops://items/{id}',
      name: 'items',
      read: () => String(reached.push('item')),
      complete: { id: () => [String(reached.push('complete'))] },
      list: () => [{ uri: `ops://items/${reached.push('list')}`, name: 'item' }],
    }),
  ],
  plan: ({ goal }) => {
    reached.push('plan')
    return { goal, steps: [], budget: {}, assumptions: [], questions: [] }
  },
  critique: () => {
    reached.push('critique')
    return { verdict: 'pass', score: 1, judgements: [], summary: 'Fine.' }
  },
})

const LISTED = {
  tools: [{ name: 'look', description: 'Looks.', inputSchema: OBJECT, annotations: { readOnlyHint: true } }],
  prompts: [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'who' }] }],
  resources: [{ uri: 'up://one/note', name: 'note' }],
  templates: [{ uriTemplate: 'up://one/{id}', name: 'notes' }],
}

interface Row {
  readonly server: 'agent' | 'host'
  /** the definition that it reaches, and the scope that covers it */
  readonly name: string
  readonly scope: string
  readonly method: string
  readonly params: object
  readonly only?: Era
  /** the refusal is inside a result, or leaves something out of it */
  readonly refused?: (answer: RpcAnswer) => unknown
}

const structured = ({ result }: RpcAnswer): unknown => result?.structuredContent?.error_type
const completion = (type: string, key: string, named: string) => ({
  ref: { type, [type === 'ref/prompt' ? 'name' : 'uri']: key },
  argument: { name: named, value: '' },
})

function rowsOf(server: 'agent' | 'host', owner: string, uris: { one: string; of: string; template: string }): Row[] {
  const row = (name: string, method: string, params: object, more: Partial<Row> = {}): Row => ({
    server,
    name,
    scope: name.startsWith('resource:') ? `resource:${owner}` : name,
    method,
    params,
    ...more,
  })
  const { one, of, template } = uris
  const look = `${owner}.look`
  return [
    row(look, 'tools/call', { name: look, arguments: {} }, { refused: structured }),
    row(
      look,
      'myrmex/batch',
      { calls: [{ name: look, arguments: {} }] },
      {
        refused: ({ result }) => result?.results[0]?.error?.error_type,
      },
    ),
    row(`prompt:${owner}.greet`, 'prompts/get', { name: 'greet' }),
    row(`prompt:${owner}.greet`, 'completion/complete', completion('ref/prompt', 'greet', 'who')),
    row(`resource:${owner}:${one}`, 'resources/read', { uri: one }),
    row(`resource:${owner}:${template}`, 'resources/read', { uri: of }),
    row(`resource:${owner}:${template}`, 'completion/complete', completion('ref/resource', template, 'id')),
    row(`resource:${owner}:${one}`, 'resources/subscribe', { uri: one }, { only: 'legacy' }),
  ]
}

const ROWS: Row[] = [
  ...rowsOf('agent', 'ops', { one: 'ops://one', of: 'ops://items/7', template: 'ops://items/{id}' }),
  ...rowsOf('host', 'up', { one: 'up://one/note', of: 'up://one/7', template: 'up://one/{id}' }),
  {
    server: 'host',
    name: 'up.look',
    scope: 'up.look',
    method: 'tools/call',
    params: { name: 'myrmex.call_tool', arguments: { name: 'up.look', arguments: {} } },
    refused: structured,
  },
  {
    server: 'host',
    name: 'resource:up:*',
    scope: 'resource:up',
    method: 'resources/read',
    params: { uri: 'up://one/a/b' },
  },
  { server: 'agent', name: 'agent:ops.plan', scope: 'agent:ops.plan', method: 'agent/plan', params: { goal: 'x' } },
  {
    server: 'agent',
    name: 'agent:ops.critique',
    scope: 'agent:ops.critique',
    method: 'agent/critique',
    params: { task: 't', output: 'o', criteria: [] },
  },
  { server: 'agent', name: 'method:agent/act', scope: 'method:agent/act', method: 'agent/act', params: {} },
]

/** More than all tests before the last one need. */
const CALLS = 60
const scopes = [...new Set(ROWS.map(({ scope }) => scope))]
const EVERYTHING: Identity = { id: 'ann', scopes: ['*'] }
const NOTHING: Identity = { id: 'bob', scopes: [] }
/** With the one scope that is needed, or with all the others. */
const idOf = (kind: string, scope: string): string => `${kind}.${scope.replaceAll(/[:/*]/g, '-')}`
const only = (scope: string): Identity => ({ id: idOf('only', scope), scopes: [scope] })
const without = (scope: string): Identity => ({
  id: idOf('without', scope),
  scopes: scopes.filter((other) => other !== scope && !(scope.startsWith('resource:') && other.startsWith(scope))),
})
const IDENTITIES = [EVERYTHING, NOTHING, ...scopes.map(only), ...scopes.map(without)]

const policy = parsePolicy({
  principals: principalsOf(IDENTITIES),
  limits: { tools: Object.fromEntries(ROWS.map(({ name }) => [name, { calls: CALLS, per_ms: 3_600_000 }])) },
})

const file = new LedgerFile()
let ledger: Ledger
let host: Host
let upstream: ChangingServer
const targets = new Map<Row['server'], { server: Server; connections: Connections }>()

beforeAll(async () => {
  ledger = await file.open()
  const server = createServer({
    name: 'ops',
    version: '1.0.0',
    ledger,
    policy,
    use: [note],
    methods: { 'agent/act': () => ({ result: reached.push('act') }) },
  })
  server.add({
    file: 'ops',
    agents: [ops],
    tools: ops.tools,
    resources: ops.resources,
    prompts: ops.prompts,
    scratch: undefined,
  })
  upstream = changingServer('up', LISTED, { trust: 'verified' }, mkdtempSync(join(tmpdir(), 'every-request-')))
  host = await openHost({ settings: [upstream.settings], ledger, policy, use: [note] })
  addSearchTools(host.server, host.view)
  targets.set('agent', { server, connections: await connectEvery(server) })
  targets.set('host', { server: host.server, connections: await connectEvery(host.server) })
})
afterAll(async () => {
  for (const { connections } of targets.values()) await connections.close()
  await host.close()
  rmSync(upstream.settings.endpoint.where === 'child' ? upstream.settings.endpoint.cwd : '', { recursive: true })
  await file.remove()
})

const noted = (): number => reached.length + upstream.noted().length

const CASES = ROWS.flatMap((row) =>
  TRANSPORTS.flatMap((transport) =>
    ERAS.filter((era) => row.only === undefined || row.only === era).map((era) => ({ row, transport, era })),
  ),
)
type Case = (typeof CASES)[number]

interface Tried {
  readonly answer: RpcAnswer
  readonly records: readonly {
    tool: string
    principal: string
    transport: string
    outcome: string
    error_type?: string
  }[]
  readonly reached: number
  readonly passed: readonly string[]
}

async function attempt({ row, transport, era }: Case, identity: Identity): Promise<Tried> {
  const { connections } = targets.get(row.server) as { connections: Connections }
  // A session is opened on first use, and leaves no record.
  const [extent, before] = [file.extent(), noted()]
  passed.length = 0
  const answer = await connections.ask(transport, era, identity, row.method, row.params)
  return { answer, records: file.lines(extent) as never, reached: noted() - before, passed: [...passed] }
}

async function expectRefused(
  one: Case,
  identity: Identity,
  error_type: string,
  recordedAs = one.row.name,
  seen: readonly string[] = [],
): Promise<void> {
  const { answer, records, reached: ran, passed: names } = await attempt(one, identity)
  const { row, transport } = one
  const said = row.refused === undefined ? answer.error?.data?.error_type : row.refused(answer)
  expect(said, JSON.stringify(answer)).toBe(error_type)
  expect(ran).toBe(0)
  expect(names).toEqual(seen)
  const principal = transport === 'stdio' ? 'local' : identity.id
  expect(records).toMatchObject([{ tool: recordedAs, principal, transport, outcome: 'failure', error_type }])
}

const titled = CASES.map(
  (one) => [`${one.row.server} ${one.row.method} ${one.row.name}`, one.transport, one.era, one] as const,
)
const withCredentials = titled.filter(([, transport]) => transport !== 'stdio')

describe('a request is recorded once, and reaches its target once', () => {
  test.each(titled)('%s by %s in the %s era', async (_name, transport, _era, one) => {
    const {
      answer,
      records,
      reached: ran,
      passed: names,
    } = await attempt(one, transport === 'stdio' ? EVERYTHING : only(one.row.scope))
    expect(answer.error).toBeUndefined()
    // A resource that is watched already is not subscribed to again.
    if (one.row.method !== 'resources/subscribe') expect(ran).toBe(1)
    expect(names).toEqual([one.row.name])
    const principal = transport === 'stdio' ? 'local' : only(one.row.scope).id
    expect(records).toMatchObject([{ tool: one.row.name, principal, transport, outcome: 'success' }])
  })
})

describe('a request is refused without its scope', () => {
  test.each(withCredentials)('%s by %s in the %s era', async (_name, _transport, _era, one) => {
    const { name, server, method } = one.row
    // Templates of an upstream are matched only for callers that may read its resources.
    const isMatched = server === 'host' && method === 'resources/read' && name.includes('{')
    const recordedAs = isMatched ? 'resource:up:*' : name
    for (const identity of [NOTHING, without(one.row.scope)])
      await expectRefused(one, identity, 'PermissionError', recordedAs)
  })
})

/** The definition, as its server has it now. */
function definitionOf({ server, name, params, method }: Row): Pick<Tool, 'name' | 'version' | 'hash'> {
  const target = (targets.get(server) as { server: Server }).server
  const known = target.registry.find(name) ?? host.definition(name)
  if (known !== undefined) return known
  const uri = 'uri' in params ? String(params.uri) : ''
  const item = method === 'prompts/get' ? target.prompts.get('greet') : target.findResource(uri)?.item
  if (item === undefined) throw new Error(`${name} has no definition that a test can find`)
  return target.definitionOf(item)
}

/** Nobody can decide about the methods of our own program: they are as trusted as the program. */
const decidable = titled.filter(
  ([, , , { row }]) => row.server === 'host' || !/^agent\/|batch|complet/.test(row.method),
)

describe('a request is refused without trust', () => {
  const setLevel = async (level: 'untrusted' | 'verified'): Promise<void> => {
    for (const [, , , { row }] of decidable) {
      const { name, version, hash } = definitionOf(row)
      await ledger.trust.set({ tool: name, version, hash }, level, 'test')
    }
  }
  beforeAll(() => setLevel('untrusted'))
  afterAll(() => setLevel('verified'))

  test.each(decidable)('%s by %s in the %s era', async (_name, _transport, _era, one) => {
    await expectRefused(one, EVERYTHING, 'PermissionError')
  })
})

describe('a request that asks for a dry run of what has none reaches nothing', () => {
  const modern = titled.filter(([, transport, era]) => transport === 'direct' && era === 'modern')
  test.each(modern)('%s by %s in the %s era', async (_name, _transport, _era, one) => {
    const params = { ...one.row.params, _meta: { 'myrmex/dryRun': true } }
    const { name } = one.row
    await expectRefused({ ...one, row: { ...one.row, params } }, EVERYTHING, 'ValidationError', name, [name])
  })
})

describe('a request is refused above its limit', () => {
  test.each(titled)('%s by %s in the %s era', async (_name, _transport, _era, one) => {
    const { error_type } = { error_type: 'ApiLimitExceeded' }
    for (let left = CALLS; left > 0; left--) {
      const { records } = await attempt(one, EVERYTHING)
      if (records[0]?.error_type === error_type) break
    }
    await expectRefused(one, EVERYTHING, error_type)
  })
})
