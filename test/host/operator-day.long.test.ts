/**
 * A day of an operator, from the file of a desktop client to the evening's audit: real commands at a real terminal, a real host with ten
 * servers, official clients of both generations, a webhook and the passphrase of the operator. The steps, in order:
 *
 * 1. the ledger is locked, ten servers are imported, profiles and a webhook are added, and the host is started
 * 2. one screen says what waits; trust in bulk lets the tools be called
 * 3. two servers are upgraded: one only writes its tools in another way and keeps its trust, the other needs a review
 * 4. two clients get a token each, and each sees its own tools only
 * 5. a call is held, announced, approved through its link with a session; another one is changed and then approved
 * 6. the host is read-only for a while, and then not any more
 */
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { inTerminal, PTY, PTY_NOTE } from '@myrmex/testing/cli/pty'
import { visibleText } from '@myrmex/testing/cli/run-command'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { hostFolder } from '@myrmex/testing/host/host-folder'
import { webhookReceiver } from '@myrmex/testing/host/webhook-receiver'
import { CLI, fixturePath, ROOT } from '@myrmex/testing/paths'
import { openSession } from 'myrmex/api'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 180_000 })

const PASSPHRASE = 'correct horse battery'
const SECRET = `whsec_${Buffer.from('a key of more than 24 bytes').toString('base64')}`
const API_KEY = 'sk-0123456789abcdef0123'

type Listing = { version: string; tools: object[] }
const reads = (name: string, more: object = {}): object => ({
  name,
  description: `Looks up a ${name.split('_')[1]}.`,
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  annotations: { readOnlyHint: true, ...more },
})
const writes = (name: string, description: string): object => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { order: { type: 'integer' }, amount: { type: 'number' } } },
  annotations: { readOnlyHint: false, destructiveHint: true },
})
const OFFICE: Readonly<Record<string, Listing>> = {
  shop: { version: '1.4.0', tools: [reads('get_order'), writes('refund', 'Pays an order back.')] },
  mail: { version: '2.0.1', tools: [reads('read_letter'), writes('send', 'Sends a letter.')] },
  wiki: { version: '0.9.0', tools: [reads('read_page'), reads('find_page')] },
  crm: { version: '3.1.0', tools: [reads('get_customer'), writes('merge', 'Merges two customers.')] },
  calendar: { version: '1.0.0', tools: [reads('get_event'), writes('invite', 'Invites people.')] },
  tickets: { version: '1.0.0', tools: [reads('get_ticket')] },
  stock: { version: '1.0.0', tools: [reads('get_item')] },
}
/** The tools do and say the same: the hints write out their defaults. */
const WIKI_UPGRADE: Listing = {
  version: '1.0.0',
  tools: [reads('read_page', { openWorldHint: true }), reads('find_page', { openWorldHint: true })],
}
/** The words that a model reads are others. */
const SHOP_UPGRADE: Listing = {
  version: '2.0.0',
  tools: [reads('get_order'), writes('refund', 'Pays an order back, also in parts.')],
}

const packageOf = (name: string, file: string): string =>
  realpathSync(join(ROOT, 'node_modules/@modelcontextprotocol', name, file))

function morning() {
  const folder = hostFolder()
  const { project, env, write, read } = folder
  const terminal = { ...env, TERM: 'xterm', SHELL: '/bin/sh', TZ: 'UTC', COLUMNS: '120' }
  const install = (name: string, listing: Listing): string => write(`packages/${name}.json`, listing)
  const office = Object.fromEntries(
    Object.entries(OFFICE).map(([name, listing]) => [
      name,
      { command: process.execPath, args: [fixturePath('host/office-upstream.mjs'), name, install(name, listing)] },
    ]),
  )
  const npm = {
    files: { command: process.execPath, args: [packageOf('server-filesystem', 'dist/index.js'), '.'] },
    memory: {
      command: process.execPath,
      args: [packageOf('server-memory', 'dist/index.js')],
      env: { MEMORY_API_KEY: API_KEY },
    },
    thinking: { command: process.execPath, args: [packageOf('server-sequential-thinking', 'dist/index.js')] },
  }
  write('home/.cursor/mcp.json', { mcpServers: { ...npm, ...office } })
  /** Types each answer when its question is there; without one what the question asks to type. */
  const typed = async (args: readonly string[], answers: readonly [question: RegExp, answer?: string][]) => {
    const command = inTerminal([process.execPath, CLI, ...args], project, terminal)
    let from = 0
    for (const [question, answer] of answers) {
      const typedText = await vi.waitFor(
        () => {
          const found = question.exec(command.stdout.slice(from))
          if (found === null) throw new Error(`not asked: ${question}\n${command.stdout}`)
          from += found.index + found[0].length
          return answer ?? found[1]
        },
        { timeout: 30_000, interval: 20 },
      )
      command.type(`${typedText}\r`)
    }
    const { code, stdout } = await command.ended
    expect(code, stdout).toBe(0)
    return visibleText(stdout)
  }
  const cli = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runToEnd(args, { cwd: project, env: terminal })
    expect(code, stdout + stderr).toBe(0)
    return stdout
  }
  const callsOf = (name: string): { tool: string; given: object }[] =>
    read(`packages/${name}.json.calls`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { ...folder, install, typed, cli, callsOf }
}

interface Caller {
  tools(): Promise<string[]>
  call(name: string, args: object): Promise<{ isError: boolean; text: string }>
}

type Answer = { isError?: boolean; content?: unknown }
const callerOf = (list: () => Promise<{ tools: { name: string }[] }>, call: (p: never) => Promise<Answer>): Caller => ({
  tools: async () => {
    const names = (await list()).tools.map(({ name }) => name)
    // The host's own, which search within the profile.
    return names.filter((name) => !name.startsWith('myrmex_')).sort()
  },
  async call(name, args) {
    const { isError = false, content = [] } = await call({ name, arguments: { ...args } } as never)
    return { isError, text: (content as { text?: string }[]).map(({ text = '' }) => text).join('\n') }
  },
})

async function client1(url: URL, token: string): Promise<Caller> {
  const client = new Client1({ name: 'desk', version: '1.0.0' })
  await client.connect(new Http1(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }) as never)
  onTestFinished(() => client.close())
  return callerOf(
    () => client.listTools(),
    (params) => client.callTool(params) as Promise<Answer>,
  )
}

async function client2(url: URL, token: string): Promise<Caller> {
  const client = new Client2({ name: 'counter', version: '2.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new Http2(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }))
  onTestFinished(() => client.close())
  return callerOf(
    () => client.listTools(),
    (params) => client.callTool(params) as Promise<Answer>,
  )
}

test.skipIf(PTY === undefined)(`an operator's day, from the import to the evening${PTY_NOTE}`, async () => {
  const day = morning()
  const { project, read, write, cli, typed, install, callsOf } = day
  const sign: [RegExp, string] = [/The operator's passphrase/, PASSPHRASE]
  const confirm: [RegExp] = [/(?:Type |\[)(\d+|y)(?:\/N\]| to confirm)/]

  // 1. Lock, import, configure, start.
  const imported = await cli('host', 'import', '--from', 'cursor', '--yes')
  expect(imported).toContain(
    '10 servers are now in myrmex.json: files, memory, thinking, shop, mail, wiki, crm, calendar, tickets, stock',
  )
  expect(imported + read('project/myrmex.json')).not.toContain(API_KEY)
  await typed(
    ['operator', 'init'],
    [
      [/New passphrase/, PASSPHRASE],
      [/again/, PASSPHRASE],
    ],
  )
  const receiver = await webhookReceiver()
  const configured = JSON.parse(read('project/myrmex.json'))
  write('project/myrmex.json', {
    ...configured,
    host: { require_token: true },
    profiles: {
      desk: { description: 'Reading', servers: ['files', 'memory', 'wiki'], read_only: true },
      counter: { tools: ['shop.*', 'mail.*'] },
    },
    approvals: { hold: '120 s', channels: { ops: { webhook: receiver.url, secret: { from_env: 'HOOK_SECRET' } } } },
  })
  const host = day.start(['--http', '0'], { HOOK_SECRET: SECRET })
  await host.says(/(every call is recorded)/)
  await vi.waitFor(async () => expect(await cli('host', 'status')).toMatch(/(?:\n\w+ +ready .*){10}/), {
    timeout: 60_000,
    interval: 200,
  })

  // 2. What waits, on one screen, and trust in bulk.
  const first = await cli('status')
  expect(first.split('\n').length).toBeLessThan(40)
  expect(first).toMatch(/shop/)
  const all = await typed(['trust', '--all', '--ask'], [confirm, sign])
  expect(all).toMatch(/trusted {2}\d+ tools/)
  expect(await cli('status')).not.toMatch(/not reviewed/)

  // 3. Two upgrades.
  install('wiki', WIKI_UPGRADE)
  install('shop', SHOP_UPGRADE)
  await typed(['host', 'restart', 'wiki', 'shop'], [sign])
  const status = await cli('host', 'status')
  expect(status).toMatch(/held back, until you decide:\n {2}shop: .*npx myrmex trust shop/)
  expect(status).not.toMatch(/^ {2}wiki: /m)
  expect(await cli('status', 'shop')).toContain('also in parts')

  // 4. Two clients.
  const tokenOf = async (name: string): Promise<string> => {
    const shown = await typed(['tokens', 'create', name, '--profile', name], [sign])
    return /^ {2}(\S{20,})\s*$/m.exec(shown)?.[1] ?? expect.fail(shown)
  }
  const url = new URL('/mcp', host.api().url)
  const counterToken = await tokenOf('counter')
  const desk = await client1(url, await tokenOf('desk'))
  const counter = await client2(url, counterToken)
  expect((await fetch(url, { method: 'POST' })).status).toBe(401)
  const deskTools = await desk.tools()
  expect(deskTools).toEqual(expect.arrayContaining(['wiki_find_page', 'wiki_read_page', 'memory_read_graph']))
  expect(deskTools.filter((name) => !/^(?:files|memory|wiki)_/.test(name))).toEqual([])
  expect(deskTools).not.toContain('files_write_file')
  expect(await desk.call('wiki_read_page', { id: 1 })).toEqual({
    isError: false,
    text: 'wiki 1.0.0: read_page {"id":1}',
  })
  await expect(desk.call('shop_get_order', { id: 1 })).rejects.toThrow('shop_get_order')
  expect(await counter.tools()).toEqual(['mail_read_letter', 'mail_send', 'shop_get_order', 'shop_refund'])
  expect(await counter.call('shop_get_order', { id: 1 })).toMatchObject({ isError: false })
  const held = await counter.call('shop_refund', { order: 1, amount: 5 })
  expect(held).toMatchObject({
    isError: true,
    text: expect.stringMatching(/refund 2\.0\.0 .* its definition has changed since it was reviewed/),
  })
  const again = await typed(['trust', 'shop', '--ask'], [confirm, sign])
  expect(again).toContain('also in parts')
  expect(await cli('host', 'status')).not.toContain('held back')

  // A standing grant for one tool.
  await typed(['trust', 'mail.send'], [confirm, sign])
  expect(await counter.call('mail_send', { order: 1 })).toMatchObject({ isError: false })

  // 5. A call that reaches a person.
  const refund = counter.call('shop_refund', { order: 7, amount: 500 })
  type Announced = { link: string; approval: { id: string; args: object; principal: string; client: object } }
  const announced = async (count: number): Promise<Announced> => {
    const { body, headers } = await receiver.arrived(count)
    return new Webhook(SECRET).verify(body, headers) as Announced
  }
  const one = await announced(1)
  expect(one.approval).toMatchObject({ args: { order: 7, amount: 500 }, client: { name: 'counter', version: '2.0.0' } })
  expect(await (await fetch(one.link)).text()).toContain(one.approval.id)
  const path = `/api${new URL(one.link).pathname}/approve`
  expect(await host.request(path, {})).toMatchObject({ status: 403 })
  const session = await openSession(host.api(), PASSPHRASE)
  expect(await host.request(path, {}, session)).toMatchObject({ status: 200, body: { status: 'approved' } })
  expect(await refund).toEqual({ isError: false, text: 'shop 2.0.0: refund {"order":7,"amount":500}' })

  const larger = counter.call('shop_refund', { order: 8, amount: 900 })
  const { id } = (await announced(2)).approval
  expect(await cli('approvals', 'list')).toContain(id)
  await typed(['approve', id, '--arguments', '{"order":8,"amount":90}', '--note', 'a tenth'], [sign])
  const changed = await larger
  expect(changed.text).toContain('shop 2.0.0: refund {"amount":90,"order":8}')
  expect(changed.text).toMatch(/changed the arguments.*a tenth/s)
  expect(callsOf('shop').filter(({ tool }) => tool === 'refund')).toEqual([
    { tool: 'refund', given: { order: 7, amount: 500 } },
    { tool: 'refund', given: { order: 8, amount: 90 } },
  ])
  expect(await host.request(`/api/approvals/${id}`, undefined, session)).toMatchObject({
    body: { status: 'used', args: { amount: 900 }, edited_args: { amount: 90 }, note: 'a tenth' },
  })

  // 6. Read-only, and back.
  expect(await cli('host', 'read-only', 'on', '--reason', 'we count the stock')).toContain('read-only')
  const refused = await counter.call('shop_refund', { order: 9, amount: 1 })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('we count the stock') })
  expect(await counter.call('shop_get_order', { id: 9 })).toMatchObject({ isError: false })
  expect(await cli('host', 'status')).toContain('we count the stock')
  await typed(['host', 'read-only', 'off'], [sign])
  const late = counter.call('shop_refund', { order: 9, amount: 1 })
  const last = (await announced(3)).approval.id
  await cli('approvals', 'deny', last, '--note', 'tomorrow')
  expect(await late).toMatchObject({ isError: true, text: expect.stringContaining('tomorrow') })

  // The evening.
  const { calls } = (await host.request('/api/calls?tool=shop.refund', undefined, session)).body as {
    calls: { outcome: string }[]
  }
  expect(calls.filter(({ outcome }) => outcome === 'success')).toHaveLength(2)
  expect(await cli('audit', 'verify')).toContain('The audit is complete')
  expect(await host.end()).toBe(0)
  const logs = readFileSync(join(project, '.myrmex/host/logs/myrmex.log'), 'utf8')
  for (const secret of [PASSPHRASE, counterToken, SECRET, API_KEY]) expect(logs).not.toContain(secret)
})
