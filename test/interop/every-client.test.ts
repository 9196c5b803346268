/** What holds for every client we did not write, on both transports and in both eras. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aiSdk } from './clients/ai-sdk.ts'
import { type Connected, type ElicitAnswer, NEWEST } from './clients/peer.ts'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { PIXEL } from './interop.tools.ts'
import { FIXTURE, type Stage, stage, TRANSPORTS } from './stage.ts'

vi.setConfig({ testTimeout: 15_000, hookTimeout: 15_000 })

const CASES = [sdk1, ...sdk2, ...aiSdk].flatMap((peer) => TRANSPORTS.map((transport) => ({ ...peer, transport })))

describe.each(CASES)('$name over $transport', ({ connect, era, transport }) => {
  let server: Stage
  let client: Connected
  let answer: ElicitAnswer
  const asked: string[] = []

  beforeAll(async () => {
    server = await stage(FIXTURE, transport)
    client = await connect(server.target, (message) => {
      asked.push(message)
      return answer
    })
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  test('agrees on the newest revision of its era', () => {
    expect(client.version).toBe(NEWEST[era])
    expect(client.server).toMatchObject({ name: 'myrmex', version: '0.1.0' })
  })

  test('lists the tools with their schemas, hints and canonical names', async () => {
    const tools = await client.tools()
    expect(tools.map(({ name }) => name)).toEqual([...tools.map(({ name }) => name)].sort())
    expect(tools.find(({ name }) => name === 'greet')).toMatchObject({
      title: 'Greet',
      description: 'Greets somebody by name.',
      inputSchema: { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      _meta: { 'myrmex/name': 'interop.greet', 'myrmex/version': '1.0.0' },
    })
    expect(tools.find(({ name }) => name === 'done')?.outputSchema).toBeUndefined()
  })

  test('gets data as structured content and as text', async () => {
    const result = await client.call('greet', { name: 'Ada' })
    expect(result.isError ?? false).toBe(false)
    expect(result.structuredContent).toEqual({ greeting: 'Hello, Ada!' })
    expect(result.content).toEqual([{ type: 'text', text: '{"greeting":"Hello, Ada!"}' }])
    expect(result._meta).toMatchObject({ 'myrmex/result': { status: 'success' } })
  })

  test('finds a tool by its canonical name too', async () => {
    expect(await client.call('interop.greet', { name: 'Ada' })).toMatchObject({
      structuredContent: { greeting: 'Hello, Ada!' },
    })
  })

  test('gets an empty result from a tool that has nothing to tell', async () => {
    const result = await client.call('done', {})
    expect(result).toMatchObject({ content: [] })
    expect(result.structuredContent).toBeUndefined()
  })

  test('sends and gets back a value of every type', async () => {
    const order = {
      sku: 'CO-17',
      count: 3,
      price: 0.1,
      gift: false,
      roast: 'dark',
      tags: [],
      due: '2026-07-28T09:30:00.000Z',
      note: null,
      ship: { by: 'post', address: { street: 'Ant Hill 1', zip: '0815' } },
      weights: { 'with space': 1e-7, '': -0.5 },
      bags: [],
    }
    const { structuredContent, isError } = await client.call('order', order)
    expect(isError ?? false).toBe(false)
    expect(structuredContent).toEqual({ order, total: 0.1 * 3, paid: null })
  })

  test('sends and gets back tuples', async () => {
    const bags = [
      ['beans', 2],
      ['ground', 1],
    ]
    expect(await client.call('pack', { bags })).toMatchObject({ structuredContent: { bags } })
  })

  test('reads the declared error of a tool that fails', async () => {
    // Once a client knows the output schema it may hold even a failure against it.
    await client.tools()
    const result = await client.call('sell', { sku: 'CO-17' })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toEqual({
      error_type: 'OutOfStock',
      error_message: 'CO-17 is sold out',
      error_details: { sku: 'CO-17', left: 0 },
    })
    expect(result.content).toEqual([{ type: 'text', text: 'OutOfStock: CO-17 is sold out' }])
  })

  test('reads which of its arguments are wrong', async () => {
    const result = await client.call('order', { sku: 'nonsense', count: 0 })
    expect(result).toMatchObject({ isError: true, structuredContent: { error_type: 'SchemaError' } })
    const { error_details } = result.structuredContent as { error_details: { issues: { path: string }[] } }
    const paths = error_details.issues.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/sku', '/count', '/price', '/ship']))
  })

  test('learns nothing of what went wrong inside a tool that crashed', async () => {
    const result = await client.call('crash', {})
    expect(result).toMatchObject({ isError: true, structuredContent: { error_type: 'ToolExecutionError' } })
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })

  test('reads the error of a tool whose output schema refers to itself', async () => {
    expect(await client.call('grow', { depth: 1 })).toMatchObject({
      structuredContent: { label: '1', branches: [{ label: '0', branches: [] }] },
    })
    expect(await client.call('grow', { depth: -1 })).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'Withered' },
    })
  })

  test('is refused a tool that does not exist, and told the nearest names', async () => {
    await expect(client.call('greeet', {})).rejects.toMatchObject({
      code: -32602,
      data: { error_type: 'ToolNotFoundError', nearest: expect.arrayContaining(['interop.greet']) },
    })
  })

  test.for([
    ['astral and combining characters', '🐜𝕞𝓎𝓻𝕞𝑒𝔁 e\u0301 ﷽ नमस्ते 한국어'],
    ['directions and joiners', 'שלום\u202eabc\u202c 👩‍👩‍👧 \u200b'],
    ['control characters and line ends', 'a\u0000b\tc\r\nd\u2028e\u2029f\u0085g\\n"'],
  ])('passes on %s unharmed', async ([, text]) => {
    expect(await client.call('echo', { text })).toMatchObject({ structuredContent: { text } })
  })

  test('calls a tool with a parameter that travels as a header too', async () => {
    for (const region of ['eu-1', ' Ägäis ', '=?base64?']) {
      expect(await client.call('route', { region })).toMatchObject({ structuredContent: { region } })
    }
  })

  test('gets content blocks of every kind', async () => {
    const { content, structuredContent } = await client.call('show', {})
    expect(structuredContent).toEqual({ shown: 5 })
    expect(content).toEqual([
      { type: 'text', text: 'a pixel', annotations: { audience: ['user'], priority: 0.5 } },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'interop://text', mimeType: 'text/plain', text: 'embedded' } },
      { type: 'resource_link', uri: 'interop://bytes', name: 'bytes', mimeType: 'application/octet-stream' },
    ])
  })

  test('lists and reads resources, as text and as bytes', async () => {
    expect((await client.resources()).map(({ uri }) => uri)).toEqual(['interop://bytes', 'interop://text'])
    expect(await client.read('interop://text')).toEqual([
      { uri: 'interop://text', mimeType: 'text/plain', text: 'plain words' },
    ])
    expect(await client.read('interop://bytes')).toEqual([
      { uri: 'interop://bytes', mimeType: 'application/octet-stream', blob: 'AH+A/w==' },
    ])
  })

  test('reads resources of a template, and is refused those that are not there', async () => {
    expect(await client.templates()).toMatchObject([{ uriTemplate: 'interop://items/{name}', name: 'items' }])
    expect(await client.read('interop://items/espresso%20doppio')).toEqual([
      { uri: 'interop://items/espresso%20doppio', mimeType: 'application/json', text: '{"name":"espresso doppio"}' },
    ])
    for (const uri of ['interop://items/tea', 'interop://nowhere']) {
      // The 2.x client says -32602 for either; what went over the wire is looked at below.
      await expect(client.read(uri)).rejects.toMatchObject({
        code: expect.toBeOneOf(era === 'modern' ? [-32602] : [-32002, -32602]),
        data: { uri },
      })
    }
  })

  test('lists and gets prompts', async () => {
    expect(await client.prompts()).toMatchObject([
      { name: 'brief' },
      { name: 'write', arguments: [{ name: 'what', required: true }, { name: 'tone' }] },
    ])
    expect(await client.prompt('brief')).toEqual([{ role: 'user', content: { type: 'text', text: 'Be brief.' } }])
    expect(await client.prompt('write', { what: 'letter', tone: 'formal' })).toEqual([
      { role: 'user', content: { type: 'text', text: 'Write a formal letter.' } },
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'resource', resource: { uri: 'interop://text', text: 'plain words' } } },
    ])
  })

  test('is refused a prompt that is unknown or lacks an argument', async () => {
    await expect(client.prompt('wriite')).rejects.toMatchObject({ code: -32602, data: { nearest: ['write', 'brief'] } })
    await expect(client.prompt('write', { tone: 'formal' })).rejects.toMatchObject({ code: -32602 })
  })

  test('completes arguments of prompts and variables of templates', async () => {
    const write = { type: 'ref/prompt', name: 'write' } as const
    expect(await client.complete(write, 'what', 'l')).toEqual(['letter'])
    expect(await client.complete(write, 'tone', '', { what: 'poem' })).toEqual(['free', 'rhymed'])
    expect(await client.complete({ type: 'ref/resource', uri: 'interop://items/{name}' }, 'name', 'esp')).toEqual([
      'espresso',
      'espresso doppio',
    ])
  })

  test.for<[ElicitAnswer, object]>([
    [
      { action: 'accept', content: { size: 'large' } },
      { brewed: true, what: 'large mocha' },
    ],
    [{ action: 'decline' }, { brewed: false, what: 'decline' }],
    [{ action: 'cancel' }, { brewed: false, what: 'cancel' }],
  ])('is asked in the middle of a call and answers %j', async ([given, brewed]) => {
    answer = given
    asked.length = 0
    expect(await client.call('brew', { coffee: 'mocha' })).toMatchObject({ structuredContent: brewed })
    expect(asked).toEqual(['Which size of mocha?'])
  })

  test('makes 1,000 calls at once and gets each answer to its own', async () => {
    // They take different times, so that the answers come in another order than the calls.
    const calls = Array.from({ length: 1000 }, (_, n) => ({ text: `call ${n}`, after_ms: (n * 7) % 20 }))
    const results = await Promise.all(calls.map((args) => client.call('echo', args)))
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(calls.map(({ text }) => ({ text })))
  })

  test('sends 5 MB and gets them back', async () => {
    const text = 'myrmex🐜'.repeat(500_000)
    const { structuredContent } = await client.call('echo', { text })
    expect((structuredContent as { text: string }).text === text).toBe(true)
  })

  test('spoke its era and no other, and every message it was sent parses under the official schemas', async () => {
    await client.close()
    await server.close()
    const { faults, judged, sent, codes } = server.judge
    expect(faults).toEqual([])
    expect(judged).toBeGreaterThan(1000)
    expect(sent.has('initialize')).toBe(era === 'legacy')
    expect(sent.has('server/discover')).toBe(era === 'modern')
    // A resource that is not there has a code of its own in the legacy era.
    expect(codes.has(-32002)).toBe(era === 'legacy')
  })
})
