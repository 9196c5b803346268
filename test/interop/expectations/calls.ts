/** Calls that go well: what a tool gives arrives as it was given. */
import { expect, test } from 'vitest'
import { PIXEL } from '../interop.tools.ts'
import type { Session } from './session.ts'

export function expectCalls(session: Session): void {
  test('lists the tools with their schemas, hints and canonical names', async () => {
    const tools = await session.client.tools()
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
    const result = await session.client.call('greet', { name: 'Ada' })
    expect(result.isError ?? false).toBe(false)
    expect(result.structuredContent).toEqual({ greeting: 'Hello, Ada!' })
    expect(result.content).toEqual([{ type: 'text', text: '{"greeting":"Hello, Ada!"}' }])
    expect(result._meta).toMatchObject({ 'myrmex/result': { status: 'success' } })
  })

  test('finds a tool by its canonical name too', async () => {
    expect(await session.client.call('interop.greet', { name: 'Ada' })).toMatchObject({
      structuredContent: { greeting: 'Hello, Ada!' },
    })
  })

  test('gets an empty result from a tool that has nothing to tell', async () => {
    const result = await session.client.call('done', {})
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
    const { structuredContent, isError } = await session.client.call('order', order)
    expect(isError ?? false).toBe(false)
    expect(structuredContent).toEqual({ order, total: 0.1 * 3, paid: null })
  })

  test('sends and gets back tuples', async () => {
    const bags = [
      ['beans', 2],
      ['ground', 1],
    ]
    expect(await session.client.call('pack', { bags })).toMatchObject({ structuredContent: { bags } })
  })

  test('calls a tool with a parameter that travels as a header too', async () => {
    for (const region of ['eu-1', ' Ägäis ', '=?base64?']) {
      expect(await session.client.call('route', { region })).toMatchObject({ structuredContent: { region } })
    }
  })

  test('gets content blocks of every kind', async () => {
    const { content, structuredContent } = await session.client.call('show', {})
    expect(structuredContent).toEqual({ shown: 5 })
    expect(content).toEqual([
      { type: 'text', text: 'a pixel', annotations: { audience: ['user'], priority: 0.5 } },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'interop://text', mimeType: 'text/plain', text: 'embedded' } },
      { type: 'resource_link', uri: 'interop://bytes', name: 'bytes', mimeType: 'application/octet-stream' },
    ])
  })

  test.for([
    ['astral and combining characters', '🐜𝕞𝓎𝓻𝕞𝑒𝔁 e\u0301 ﷽ नमस्ते 한국어'],
    ['directions and joiners', 'שלום\u202eabc\u202c 👩‍👩‍👧 \u200b'],
    ['control characters and line ends', 'a\u0000b\tc\r\nd\u2028e\u2029f\u0085g\\n"'],
  ])('passes on %s unharmed', async ([, text]) => {
    expect(await session.client.call('echo', { text })).toMatchObject({ structuredContent: { text } })
  })
}
