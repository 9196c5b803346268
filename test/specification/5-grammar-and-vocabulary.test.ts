/** Document 5: grammar and vocabulary. */
import { runsOf } from '@myrmex/testing/fleet/local-fleet'
import { approvalOf, call, definitionOf, LedgerFile, ledgerFile } from '@myrmex/testing/gated-server'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { legacyPeer, modernPeer, type Peer } from '@myrmex/testing/mcp-peer'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { defaultShop } from '@myrmex/testing/shop/test-shops'
import { grammarServer, taxTool } from '@myrmex/testing/specification/grammar-server'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { type Agent, connectDirect, createServer, type Ledger, listenHttp, type Server, type Tool, tool } from 'myrmex'
import { connect } from 'myrmex/client'
import * as dropship from 'myrmex-dropship'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import { openHost } from '../../packages/myrmex/src/host/host.ts'

const LOG = 'file:///logs/error.txt'
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const thinkTool = tool({
  ...toolDefaults,
  name: 'thinker.think',
  input: z.object({}),
  output: z.object({}),
  ask: () => ({
    thought: {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'Think.' } }], maxTokens: 10 },
    },
  }),
  run: () => ({}),
})

/** A legacy client of the document's server. */
async function grammarPeer(lines?: string[]): Promise<Peer> {
  const opened = await legacyPeer(grammarServer(lines))
  onTestFinished(() => opened.close())
  return opened
}

/** An agent whose author wrote neither plan nor critique: both follow from its tools. */
async function agentPeer(made: Agent = dropship.marketing(async () => defaultShop())): Promise<Peer> {
  const { name, tools, methods } = made
  return legacyPeer(createServer({ name, version: '1.0.0', tools, methods: { ...methods } }))
}

/** Gives a fleet of these tools a goal and returns its report. */
async function reach(goal: string, tools: readonly Tool[]): Promise<Report> {
  const runs = runsOf(tools, await ledgerFile().open())
  onTestFinished(() => runs.close())
  const { id } = await runs.start({ goal, principal: { id: 'ann', kind: 'local' } })
  const row = await runs.execute(id)
  return JSON.parse(row?.report ?? 'null') as Report
}

describe('§0.5 Notation', () => {
  test('a message is JSON: the comments that the examples have for readers are refused', async () => {
    const listening = await listenHttp(grammarServer())
    onTestFinished(() => listening.close())
    const body = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list" // the menu\n}'
    const response = await fetch(listening.url, { method: 'POST', headers: HEADERS, body })
    expect(await response.json()).toMatchObject({ error: { code: -32700 } })
  })
})

describe('§1 Actors', () => {
  test('a client initiates requests and decides when to call a tool or read a resource', async () => {
    const client = await connect(grammarServer())
    onTestFinished(() => client.close())
    expect(await client.call('calculate_tax', { price: 100 })).toMatchObject({ data: { tax: 10 } })
    expect(await client.request('resources/read', { uri: LOG })).toMatchObject({ contents: [{ uri: LOG }] })
  })

  test('a server lists what it can do, and says nothing until it is asked', async () => {
    const client = await grammarPeer()
    expect(client.received).toEqual([])
    expect((await client.request('tools/list')).result.tools).toMatchObject([{ name: 'calculate_tax' }])
  })

  test('a host starts and stops servers, and carries the messages between them and the client', async () => {
    const args = [CLI, 'serve', fixturePath('all.tools.ts'), '--ledger', ledgerFile().path]
    const command = process.execPath
    const endpoint = { where: 'child', command, args, cwd: process.cwd(), env: {}, sandbox: { kind: 'none' } } as never
    const host = await openHost({ settings: [serverSettings('hands', endpoint)], ledger: await ledgerFile().open() })
    onTestFinished(() => host.close())
    expect(host.servers()).toMatchObject([{ name: 'hands', state: 'ready' }])
    const client = await connect(host.server)
    const called = await client.call('hands.all.add', { a: 1, b: 2 })
    expect(called.error).toBeNull()
    await client.close()
    await host.stop('hands')
    expect(host.servers()).toMatchObject([{ state: 'stopped' }])
  })
})

describe('§2.A Task request', () => {
  test('tools/call names a tool and has its arguments', async () => {
    const client = await grammarPeer()
    const { result } = await client.request('tools/call', { name: 'calculate_tax', arguments: { price: 100 } })
    expect(result.structuredContent).toEqual({ tax: 10 })
  })
})

describe('§2.B Task response', () => {
  test('the result has the id of its request and an array of content', async () => {
    const client = connectDirect(grammarServer())
    const clientInfo = { name: 'test', version: '1.0.0' }
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    await client.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: opening })
    const params = { name: 'calculate_tax', arguments: { price: 100 } }
    expect(await client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '10.00' }] },
    })
  })
})

describe('§2.C Resource request', () => {
  test('resources/read names a URI', async () => {
    const client = await grammarPeer()
    const { result } = await client.request('resources/read', { uri: LOG })
    expect(result.contents).toEqual([{ uri: LOG, mimeType: 'text/plain', text: '12:00 disk full' }])
  })
})

describe('§2.D Log notification', () => {
  test('notifications/message has a level and data, and no id, so that nothing answers it', async () => {
    const client = await grammarPeer()
    await client.request('tools/call', { name: 'calculate_tax', arguments: { price: 1 } })
    const [message] = client.received.filter(({ method }) => method === 'notifications/message')
    expect(message).toMatchObject({ params: { level: 'info', data: 'Connected to database successfully.' } })
    expect(message).not.toHaveProperty('id')
    expect(await client.send({ jsonrpc: '2.0', method: 'notifications/message', params: {} })).toBeUndefined()
  })
})

describe('§2 Capabilities', () => {
  test('a server says in the handshake what it supports, such as logging', async () => {
    const client = connectDirect(grammarServer())
    const clientInfo = { name: 'test', version: '1.0.0' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    expect(await client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).toMatchObject({
      result: { capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} } },
    })
  })

  test('a client that does not support sampling is not asked to sample', async () => {
    const server = createServer({ name: 'thinker', version: '1.0.0', tools: [thinkTool] })
    expect(await modernPeer(server).request('tools/call', { name: 'think' })).toMatchObject({
      error: { code: -32021 },
    })
    expect(await modernPeer(server, { sampling: {} }).request('tools/call', { name: 'think' })).toMatchObject({
      result: { resultType: 'input_required' },
    })
  })
})

describe('§3.A Resources', () => {
  test('reading a resource does not change it', async () => {
    const client = await grammarPeer()
    const first = await client.request('resources/read', { uri: LOG })
    expect(await client.request('resources/read', { uri: LOG })).toMatchObject({ result: first.result })
  })

  test('a resource has a URI of any scheme, such as postgres://', async () => {
    const client = await grammarPeer()
    const { result } = await client.request('resources/read', { uri: 'postgres://db/users/1' })
    expect(result.contents).toMatchObject([{ uri: 'postgres://db/users/1', text: '{"id":"1"}' }])
  })
})

describe('§3.B Tools', () => {
  test('a tool is defined by its name, its description and the JSON Schema of its arguments', async () => {
    const client = await grammarPeer()
    const { result } = await client.request('tools/list')
    expect(result.tools[0]).toMatchObject({
      name: 'calculate_tax',
      description: 'The tax on a price: ten per cent of it.',
      inputSchema: { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] },
    })
  })

  test('a tool may have side effects, and says so', async () => {
    const { tools } = dropship.operations(async () => defaultShop())
    const hints = createServer({ name: 'operations', version: '1.0.0', tools })
    const { result } = await modernPeer(hints).request('tools/list')
    expect(result.tools).toMatchObject([
      { name: 'check_inventory', annotations: { readOnlyHint: true } },
      { name: 'fulfill_order', annotations: { readOnlyHint: false } },
    ])
  })
})

describe('§3.C Prompts', () => {
  test('the prompt Debug Error brings the relevant log into the conversation as a resource', async () => {
    const client = await grammarPeer()
    const { result } = await client.request('prompts/get', { name: 'debug_error' })
    expect(result.messages).toMatchObject([
      { role: 'user', content: { type: 'text' } },
      { role: 'user', content: { type: 'resource', resource: { uri: LOG, text: '12:00 disk full' } } },
    ])
  })
})

describe('§4 Methods', () => {
  test('initialize is the handshake: both sides say what they support', async () => {
    const client = connectDirect(grammarServer())
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'ceo', version: '1' },
    }
    expect(await client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).toMatchObject({
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'accounting' }, capabilities: {} },
    })
  })

  test('ping is answered, in the era that has it', async () => {
    expect(await (await grammarPeer()).request('ping')).toMatchObject({ result: {} })
    expect(await modernPeer(grammarServer()).request('ping')).toMatchObject({ error: { code: -32601 } })
  })

  test('tools/list says what a server can do', async () => {
    const { result } = await (await grammarPeer()).request('tools/list')
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['calculate_tax'])
  })

  test('tools/call runs a tool with arguments', async () => {
    const params = { name: 'calculate_tax', arguments: { price: 50 } }
    expect(await (await grammarPeer()).request('tools/call', params)).toMatchObject({
      result: { structuredContent: { tax: 5 } },
    })
  })

  test('resources/list says what data a server has', async () => {
    const { result } = await (await grammarPeer()).request('resources/list')
    expect(result.resources).toMatchObject([{ uri: LOG, name: 'error.txt' }])
  })

  test('resources/read returns the contents of a URI', async () => {
    const { result } = await (await grammarPeer(['a', 'b'])).request('resources/read', { uri: LOG })
    expect(result.contents).toMatchObject([{ text: 'a\nb' }])
  })

  test('resources/subscribe reports each change of a resource', async () => {
    const lines = ['one']
    const client = await grammarPeer(lines)
    await client.request('resources/subscribe', { uri: LOG })
    lines.push('two')
    await expect
      .poll(() => client.received)
      .toContainEqual({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: LOG } })
  })

  test('prompts/list says what templates a server has', async () => {
    const { result } = await (await grammarPeer()).request('prompts/list')
    expect(result.prompts).toMatchObject([{ name: 'debug_error', title: 'Debug Error' }])
  })

  test('prompts/get returns the messages of one template', async () => {
    const { result } = await (await grammarPeer()).request('prompts/get', { name: 'debug_error' })
    expect(result.messages).toHaveLength(2)
  })
})

describe('§5 Flow', () => {
  test('the server never speaks first, except for notifications about what the client asked for', async () => {
    const lines = ['one']
    const client = await grammarPeer(lines)
    lines.push('two')
    await client.request('ping')
    expect(client.received).toEqual([])
  })

  test('handshake, menu, reasoning, action, answer: the question about red chairs (test/agent/red-chairs.test.ts has it with processes)', async () => {
    const shop = await defaultShop()
    onTestFinished(() => shop.close())
    const { tools } = dropship.operations(async () => shop)
    const report = await reach('How many red chairs do we have in stock?', tools)
    expect(report.made[0]?.data).toMatchObject({ on_hand: 50 })
  })
})

describe('§7.A Standard message types', () => {
  test('tools/call is accepted by the schema TaskRequestSchema', async () => {
    const { TaskRequestSchema } = await import('myrmex')
    const params = { name: 'calculate_tax', arguments: { price: 100 } }
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    expect(TaskRequestSchema.parse(request)).toEqual(request)
    expect(TaskRequestSchema.safeParse({ ...request, params: { arguments: {} } }).success).toBe(false)
  })

  test('resources/read is accepted by the schema ResourceRequestSchema', async () => {
    const { ResourceRequestSchema } = await import('myrmex')
    const request = { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: LOG } }
    expect(ResourceRequestSchema.parse(request)).toEqual(request)
    expect(ResourceRequestSchema.safeParse({ ...request, params: {} }).success).toBe(false)
  })

  test('notifications/message is accepted by the schema LogMessageSchema', async () => {
    const { LogMessageSchema } = await import('myrmex')
    const params = { level: 'info', data: 'Connected to database successfully.' }
    const message = { jsonrpc: '2.0', method: 'notifications/message', params }
    expect(LogMessageSchema.parse(message)).toEqual(message)
    expect(LogMessageSchema.safeParse({ ...message, params: { level: 'loud', data: 1 } }).success).toBe(false)
  })
})

describe('§7.B Agent message types', () => {
  test('agent/plan takes a goal and a context with a budget, and returns steps', async () => {
    const params = { goal: 'Write ad copy for the Comfy Chair', context: { budget: 5000 } }
    const { result } = await (await agentPeer()).request('agent/plan', params)
    expect(result.content).toMatchObject([{ type: 'text' }])
    expect(result.structuredContent).toMatchObject({
      steps: [{ tool: 'marketing.write_copy' }],
      budget: { money: 5000 },
    })
  })

  test('agent/plan is accepted by the schema PlanRequestSchema', async () => {
    const { PlanRequestSchema } = await import('myrmex')
    const request = { method: 'agent/plan', params: { goal: 'Launch a new coffee brand', context: { budget: 5000 } } }
    expect(PlanRequestSchema.safeParse(request).success).toBe(true)
    expect(PlanRequestSchema.safeParse({ ...request, params: { context: {} } }).success).toBe(false)
  })

  test('agent/critique takes a task, its output and criteria, and returns a judgement of each', async () => {
    const params = { task: 'Write Ad Copy', output: 'Buy our coffee!', criteria: ['persuasiveness', 'clarity'] }
    const { result } = await (await agentPeer()).request('agent/critique', params)
    expect(result.content).toMatchObject([{ type: 'text' }])
    const judged = result.structuredContent.judgements.map(({ criterion }: { criterion: string }) => criterion)
    expect(judged).toEqual(['persuasiveness', 'clarity'])
  })

  test('agent/critique is accepted by the schema CritiqueRequestSchema', async () => {
    const { CritiqueRequestSchema } = await import('myrmex')
    const params = { task: 'Write Ad Copy', output: 'Buy our coffee!', criteria: ['persuasiveness', 'clarity'] }
    expect(CritiqueRequestSchema.safeParse({ method: 'agent/critique', params }).success).toBe(true)
    expect(CritiqueRequestSchema.safeParse({ method: 'agent/critique', params: { task: 'x' } }).success).toBe(false)
  })
})

describe('§7.C Tools of the fleet', () => {
  const file = new LedgerFile()
  let ledger: Ledger
  let server: Server
  beforeAll(async () => {
    const shop = await defaultShop()
    const { analytics, customerService, marketing, operations, productResearch, storeBuild, supplier } = dropship
    const makers = [analytics, customerService, marketing, operations, productResearch, storeBuild, supplier]
    const tools = makers.flatMap((make) => make(async () => shop).tools)
    ledger = await file.open()
    server = createServer({ name: 'fleet', version: '1.0.0', tools, ledger, observe: () => {} })
    for (const one of tools) if (one.destructive) await ledger.trust.set(definitionOf(one), 'trusted', 'ada')
    return async () => {
      await file.remove()
      await shop.close()
    }
  })

  /** The data of a call that a person approves if it needs that. */
  async function dataOf(name: string, args: object): Promise<Record<string, unknown>> {
    const first = await call(server, name, args)
    if (first.status !== 'failure') return first.data
    await ledger.approvals.approve(approvalOf(first), 'ada')
    const second = await call(server, name, args)
    expect(second.error).toBeNull()
    return second.data
  }

  test('find_winning_products {category: "Home Decor", criteria: "High Margin"}', async () => {
    const data = await dataOf('product_research.find_winning_products', {
      category: 'Home Decor',
      criteria: 'High Margin',
    })
    expect(data.products).not.toEqual([])
  })

  test('analyze_niche {niche: "Ergonomic Chairs"}', async () => {
    expect(await dataOf('product_research.analyze_niche', { niche: 'Ergonomic Chairs' })).toHaveProperty('verdict')
  })

  test('find_suppliers {product_id: "123", min_rating: 4.5}', async () => {
    expect(await dataOf('supplier.find_suppliers', { product_id: '123', min_rating: 4.5 })).toHaveProperty('suppliers')
  })

  test('negotiate_price {supplier_id: "sup_99", target_price: 15.00}', async () => {
    expect(await dataOf('supplier.negotiate_price', { supplier_id: 'sup_99', target_price: 15.0 })).toMatchObject({
      supplier_id: 'sup_99',
    })
  })

  test('create_product_page {title: "Comfy Chair", price: 99.99, images: […]}', async () => {
    const args = { title: 'Comfy Chair', price: 99.99, images: ['https://example.com/comfy-chair.jpg'] }
    expect(await dataOf('store_build.create_product_page', args)).toHaveProperty('page_id')
  })

  test('optimize_seo {page_id: "p_1", keywords: ["office", "ergonomic"]}', async () => {
    expect(
      await dataOf('store_build.optimize_seo', { page_id: 'p_1', keywords: ['office', 'ergonomic'] }),
    ).toMatchObject({
      page_id: 'p_1',
    })
  })

  test('create_ad_campaign {platform: "facebook", budget: 50, creative_id: "c_1"}', async () => {
    const args = { platform: 'facebook', budget: 50, creative_id: 'c_1' }
    expect(await dataOf('marketing.create_ad_campaign', args)).toHaveProperty('campaign_id')
  })

  test('write_copy {tone: "urgent", product_name: "Comfy Chair"}', async () => {
    expect(await dataOf('marketing.write_copy', { tone: 'urgent', product_name: 'Comfy Chair' })).toHaveProperty(
      'variants',
    )
  })

  test('handle_ticket {ticket_id: "t_555", sentiment: "angry"}', async () => {
    expect(await dataOf('customer_service.handle_ticket', { ticket_id: 't_555', sentiment: 'angry' })).toMatchObject({
      ticket_id: 't_555',
    })
  })

  test('generate_faq {topic: "shipping"}', async () => {
    expect(await dataOf('customer_service.generate_faq', { topic: 'shipping' })).toMatchObject({ topic: 'shipping' })
  })

  test('fulfill_order {order_id: "o_777", address: "123 Main St"}', async () => {
    const data = await dataOf('operations.fulfill_order', { order_id: 'o_777', address: '123 Main St' })
    expect(data).toMatchObject({ order_id: '777', done: true, address: { street: '123 Main St' } })
  })

  test('check_inventory {sku: "chair-red"}', async () => {
    expect(await dataOf('operations.check_inventory', { sku: 'chair-red' })).toMatchObject({ on_hand: 50 })
  })

  test('generate_report {date_range: "last_30_days"}', async () => {
    expect(await dataOf('analytics.generate_report', { date_range: 'last_30_days' })).toHaveProperty('revenue')
  })

  test('predict_sales {month: "December"}', async () => {
    expect(await dataOf('analytics.predict_sales', { month: 'December' })).toHaveProperty('month')
  })
})

describe('§7.D Resources of the fleet', () => {
  test('all data can be had through tools; the agents also serve records as resources, which the document has none of', async () => {
    const shop = await defaultShop()
    onTestFinished(() => shop.close())
    const { tools, resources } = dropship.operations(async () => shop)
    const client = await legacyPeer(createServer({ name: 'operations', version: '1.0.0', tools, resources }))
    expect(await client.request('resources/read', { uri: 'shop://orders/777' })).toMatchObject({
      result: { contents: [{ uri: 'shop://orders/777' }] },
    })
  })
})

describe('§8 Implementation', () => {
  test('the protocol is enforced by schemas: a malformed request is refused before anything runs', async () => {
    const client = await grammarPeer()
    expect(await client.request('tools/call', { name: 7 })).toMatchObject({ error: { code: -32602 } })
    expect(await client.request('resources/read', {})).toMatchObject({ error: { code: -32602 } })
  })

  test('the same server runs as a process of its own on stdio and in process', async () => {
    const child = new StdioChild(['serve', fixturePath('all.tools.ts'), '--ledger', ledgerFile().path])
    await child.initialize()
    child.call(1, 'add', { a: 1, b: 2 })
    const overStdio = await child.answer(1)
    await child.end()
    const { add } = await import('@myrmex/testing/fixtures/all.tools')
    const direct = await legacyPeer(createServer({ name: 'direct', version: '1.0.0', tools: [add] }))
    const inProcess = await direct.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } })
    expect(overStdio.result.structuredContent).toEqual(inProcess.result.structuredContent)
  })

  test('every agent is an MCP server', async () => {
    const client = await agentPeer()
    expect((await client.request('tools/list')).result.tools).toMatchObject([
      { name: 'create_ad_campaign' },
      { name: 'write_copy' },
    ])
  })
})

describe('§9 Summary', () => {
  test('a new agent is used without a change of the core: the planner finds its tool by its schemas', async () => {
    const report = await reach('Calculate the tax for a price of 100', [taxTool])
    expect(report.made[0]?.data).toEqual({ tax: 10 })
  })
})

describe('§10.A Message envelopes', () => {
  test('a request has jsonrpc, id, method and params; a response has the same id and a result', async () => {
    const client = connectDirect(grammarServer())
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const reply = await client.send({ jsonrpc: '2.0', id: 7, method: 'initialize', params })
    expect(reply).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} })
  })

  test('an error has a code and a message', async () => {
    expect(await (await grammarPeer()).request('tools/fly')).toEqual({
      jsonrpc: '2.0',
      id: expect.any(Number),
      error: { code: -32601, message: 'Method not found: tools/fly' },
    })
  })

  test('a notification has a method and no id', async () => {
    const client = await grammarPeer()
    expect(await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined()
  })
})

describe('§10.B Method reference', () => {
  test('tools/call {name, arguments} returns {content: [{type: "text", text}]}', async () => {
    const { result } = await (await grammarPeer()).request('tools/call', {
      name: 'calculate_tax',
      arguments: { price: 1 },
    })
    expect(result.content).toEqual([{ type: 'text', text: '0.10' }])
  })

  test('resources/read {uri} returns {contents: [{uri, mimeType, text}]}', async () => {
    const { result } = await (await grammarPeer()).request('resources/read', { uri: LOG })
    expect(result.contents).toEqual([{ uri: LOG, mimeType: 'text/plain', text: expect.any(String) }])
  })

  test('notifications/message {level, data} has no result', async () => {
    const client = await grammarPeer()
    await client.request('tools/call', { name: 'calculate_tax', arguments: { price: 1 } })
    expect(client.received).toMatchObject([{ params: { level: expect.any(String), data: expect.anything() } }])
  })

  test('agent/plan {goal, context} returns {content: [{type: "text", text}]}', async () => {
    const { result } = await (await agentPeer()).request('agent/plan', {
      goal: 'Write copy for the Comfy Chair',
      context: {},
    })
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining('marketing.write_copy') }])
  })

  test('agent/critique {task, output, criteria} returns {content: [{type: "text", text}]}', async () => {
    const params = { task: 'Write copy', output: 'Sit well.', criteria: ['clarity'] }
    const { result } = await (await agentPeer()).request('agent/critique', params)
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining('clarity') }])
  })
})
