/**
 * Every way to a tool that changes state: none of them gets around trust, approval or the audit. What the tool does shows in
 * a file, and the attempts are read back from the store.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EFFECT, erase_1, erase_2, safe_caller, trusted_caller } from '@myrmex/testing/fixtures/vault.tools'
import { countedTool, definitionOf, LedgerFile } from '@myrmex/testing/gated-server'
import { post } from '@myrmex/testing/http-server'
import { modernMeta } from '@myrmex/testing/mcp-peer'
import { fixturePath } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { createServer, type HttpListener, type Ledger, listenHttp } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import { pointRoutesAt, ROUTES, type Route, type RouteAttempt } from './routes.ts'

const TOOLS = fixturePath('vault.tools.ts')
const TOKEN = 'a token of bob'

const file = new LedgerFile()
const effect = join(file.folder, 'effect')
const policy = {
  principals: [{ id: 'bob', token_sha256: createHash('sha256').update(TOKEN).digest('hex'), scopes: ['*'] }],
}
let ledger: Ledger
let listening: HttpListener
let child: StdioChild

beforeAll(async () => {
  process.env[EFFECT] = effect
  writeFileSync(effect, '')
  ledger = await file.open()
  const server = createServer({
    name: 'vault',
    version: '1.0.0',
    // A second module: listed names are flat ones here, and bare ones in the child.
    tools: [erase_1, erase_2, safe_caller, trusted_caller, countedTool('other.thing').tool],
    ledger,
    policy: parsePolicy(policy),
    observe: () => {},
    methods: {
      'agent/act': async ({ name, args }, ctx) => ({
        result: await ctx.call(name as string, args as Record<string, unknown>),
      }),
    },
  })
  await ledger.trust.set(definitionOf(trusted_caller), 'trusted', 'ada')
  await ledger.grants.give(definitionOf(trusted_caller), 'ada')
  listening = await listenHttp(server)
  child = new StdioChild(['serve', TOOLS, '--ledger', file.path])
  await child.initialize()
  pointRoutesAt({ server, listening, child, tools: TOOLS, ledger: file.path, folder: file.folder, token: TOKEN })
})

afterAll(async () => {
  await listening.close()
  await child.end()
  await file.remove()
})

const erasures = (): string[] => readFileSync(effect, 'utf8').split('\n').slice(0, -1)

interface Tried {
  readonly reply: string
  /** what the audit has more than before, without the line of the tool it went through */
  readonly lines: AuditRecord[]
  /** the versions that ran */
  readonly erased: string[]
}

async function tried(way: Route, attempt: RouteAttempt): Promise<Tried> {
  const [extent, before] = [file.extent(), erasures().length]
  const answer = await way.go(attempt)
  const lines = file.lines(extent)
  const own = way.through === undefined ? undefined : lines.pop()
  expect(own?.tool).toBe(way.through)
  return { reply: JSON.stringify(answer), lines, erased: erasures().slice(before) }
}

/** It was refused, nothing happened, and exactly one line says who tried what, and how. */
async function expectRefused(way: Route, attempt: RouteAttempt, line: object): Promise<void> {
  const { lines, erased, reply } = await tried(way, attempt)
  const what = JSON.stringify(attempt)
  expect(erased, what).toEqual([])
  const { transport, principal } = way
  expect(lines, `${what} ${reply}`).toMatchObject([{ transport, principal, outcome: 'failure', ...line }])
  expect(lines[0], what).not.toHaveProperty('approval')
}

/** The names of the tool: canonical, flat and bare. */
const NAMES = ['vault.erase', 'vault_erase', 'erase']

/** Names that somebody might hope are taken for one of these. */
const NEARLY = [
  'Vault.Erase',
  'VAULT.ERASE',
  'vault.Erase',
  'Erase',
  'ERASE',
  'Vault_Erase',
  ' vault.erase',
  'vault.erase ',
  'vault. erase',
  'vault.erase\n',
  'vault.erase\t',
  'vault.erase.',
  '.vault.erase',
  'vault..erase',
  'vault/erase',
  'vault:erase',
  'vault-erase',
  'vault__erase',
  'vault.erase@1.0.0',
  'vault.erase 1.0.0',
  'vault.erase\u0000',
  'vault.erase\u200b',
  '\ufeffvault.erase',
  'v\u0430ult.erase',
  'vault\u2024erase',
  '\uff56ault.erase',
  'vault.era\u017fe',
  'vault.erase\u0301',
  'vault.*',
  '*',
  'vault',
  '',
  '__proto__',
  'constructor',
  'toString',
]

let key = 0
let count = 0

/** The same call, dressed in everything that might make a gate look away. */
const DRESSES: (() => Record<string, unknown>)[] = [
  () => ({ 'myrmex/idempotencyKey': `key ${++key}` }),
  () => ({ 'myrmex/context': { run: `run ${++key}`, step: '1' } }),
  () => ({ 'myrmex/context': { approval: 'yes', principal: 'ada', agent: 'ada', budget: 1e9 } }),
  () => ({ 'myrmex/version': '1.0.0' }),
  () => ({ 'myrmex/version': '^2.0.0' }),
  () => ({ 'myrmex/version': '*' }),
  () => ({ 'myrmex/name': 'vault.safe_caller', 'myrmex/result': { status: 'success' } }),
  () => ({ progressToken: 'p' }),
]

/** Refused, by every name it has, in every dress. */
async function expectNoWay(way: Route, line: object): Promise<void> {
  for (const name of way.names ?? NAMES) {
    await expectRefused(way, { name, args: { n: ++count } }, { tool: 'vault.erase', ...line })
  }
  for (const dress of way.plain ? [] : DRESSES) {
    const attempt = { name: 'vault.erase', args: { n: ++count }, meta: dress() }
    await expectRefused(way, attempt, { tool: 'vault.erase', ...line })
  }
}

const ways = Object.entries(ROUTES)

describe.each(ways)('not trusted, by way of %s', (_name, way) => {
  test('it does nothing, whatever it is called and however the call is dressed', async () => {
    await expectNoWay(way, { error_type: 'PermissionError' })
  })

  test.skipIf(way.strict)('it does nothing with arguments that are missing, null or no object', async () => {
    for (const args of [undefined, null, [], 'n', 7]) {
      const { lines, erased, reply } = await tried(way, { name: 'vault.erase', args })
      const what = `${JSON.stringify(args)} ${reply}`
      expect(erased, what).toEqual([])
      // The tool it goes through wants an object itself: the call does not even come about.
      if (way.through !== undefined && lines.length === 0) continue
      const { transport, principal } = way
      expect(lines, what).toMatchObject([{ tool: 'vault.erase', transport, principal, outcome: 'failure' }])
    }
  })

  test.skipIf(way.strict)('what is nearly its name is not its name, and on the record as it was', async () => {
    for (const name of NEARLY) {
      await expectRefused(way, { name, args: { n: 1 } }, { tool: name, version: null })
    }
  })
})

describe('trusted, but not granted', () => {
  beforeAll(async () => {
    for (const tool of [erase_1, erase_2]) await ledger.trust.set(definitionOf(tool), 'trusted', 'ada')
  })

  test.each(ways)('it waits for a human by way of %s', async (_name, way) => {
    const waits = { outcome: 'waiting', error: { error_type: 'PermissionError', error_details: { status: 'waiting' } } }
    await expectNoWay(way, way.isTask ? { error_type: 'CancelledError' } : waits)
  })

  test('nobody used an approval, and every request names who wants what', () => {
    const approvals = file.rows<{ status: string; principal: string }>('SELECT status, principal, tool FROM approvals')
    expect(new Set(approvals.map(({ status }) => status))).toEqual(new Set(['waiting']))
    expect(new Set(approvals.map(({ principal }) => principal))).toEqual(new Set(['local', 'bob']))
  })
})

describe('trusted and granted', () => {
  const grants = new Map<string, string>()
  beforeAll(async () => {
    for (const tool of [erase_1, erase_2]) {
      grants.set(tool.version, (await ledger.grants.give(definitionOf(tool), 'ada')).id)
    }
  })

  const expectErased = async (way: Route, attempt: RouteAttempt, version = '2.0.0'): Promise<void> => {
    const { lines, erased, reply } = await tried(way, attempt)
    const what = `${JSON.stringify(attempt)} ${reply}`
    expect(erased, what).toEqual([version])
    const { transport, principal } = way
    const line = { tool: 'vault.erase', outcome: 'success', approval: grants.get(version), version }
    expect(lines, what).toMatchObject([{ transport, principal, ...line }])
  }

  test.each(ways)('it runs once a call by way of %s, and the audit names the grant', async (_name, way) => {
    for (const name of way.names ?? NAMES) await expectErased(way, { name, args: { n: ++count } })
    if (way.plain) return
    const old = { 'myrmex/version': '^1.0.0' }
    // What another tool or method calls in turn takes the version that answers there.
    await expectErased(way, { name: 'vault.erase', args: {}, meta: old }, way.isCaller ? '2.0.0' : '1.0.0')
  })

  test.each(ways.filter(([, { plain, isCaller }]) => !plain && !isCaller))(
    'a key that comes again by way of %s does nothing, and that is on the record too',
    async (_name, way) => {
      const attempt = { name: 'vault.erase', args: {}, meta: { 'myrmex/idempotencyKey': `again ${++key}` } }
      await expectErased(way, attempt)
      const { lines, erased } = await tried(way, attempt)
      expect(erased).toEqual([])
      expect(lines).toMatchObject([{ tool: 'vault.erase', outcome: 'success', repeat_of: expect.any(String) }])
    },
  )
})

test('a header that names another tool than the message is no way in', async () => {
  const [extent, before] = [file.extent(), erasures().length]
  const params = { name: 'vault.erase', arguments: {}, _meta: modernMeta() }
  const got = await post(
    listening.url,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      authorization: `Bearer ${TOKEN}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'vault.safe_caller',
    },
  )
  expect(got.status).toBe(400)
  expect([file.lines(extent), erasures().length]).toEqual([[], before])
})

test('the audit of all of this is whole', async () => {
  await ledger.journal.flush()
  expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, records: file.lines().length })
})
