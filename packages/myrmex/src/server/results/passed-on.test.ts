/** Another server's result is forwarded unchanged, in the shape of the caller's era, with the state that a round carried. */
import { expect, test } from 'vitest'
import { InputRequired } from '../../pipeline/outcome.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Response } from '../../protocol/jsonrpc.ts'
import { META, MODERN_VERSION } from '../../protocol/versions.ts'
import { answer } from '../../tool/answer.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import { prompt } from '../../tool/prompt.ts'
import { resource } from '../../tool/resource.ts'
import { type ToolDefinition, tool } from '../../tool/tool.ts'
import { withUpstreamListing } from '../../tool/upstream-listing.ts'
import { createServer, type Server } from '../server.ts'
import { ServerView } from '../server-view.ts'
import { encode } from './encode.ts'

type AnyObject = { readonly type: 'object' }
type Run = ToolDefinition<AnyObject, AnyObject>['run']

const SAID = {
  content: [{ type: 'text', text: 'as it was' }],
  structuredContent: { at: 1 },
  _meta: { 'other/key': 'kept' },
  future: { unknown: true },
}

const passing = (listing: JsonObject, run: Run) =>
  withUpstreamListing(
    tool({
      name: 'up.look',
      version: '0.0.0',
      description: 'Looks.',
      input: { type: 'object' },
      output: { type: 'object' },
      errors: {},
      idempotent: true,
      destructive: false,
      security: 'None.',
      examples: [],
      run,
    }),
    listing,
  )

async function ask(server: Server, method: string, params: JsonObject, modern: boolean): Promise<JsonObject> {
  const sent: unknown[] = []
  const session = server.session('stdio', { send: (message) => sent.push(message) })
  if (!modern) {
    const clientInfo = { name: 'test', version: '1' }
    await session.receive({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    })
  }
  const _meta = modern
    ? { [META.protocolVersion]: MODERN_VERSION, [META.clientCapabilities]: { elicitation: { form: {} } } }
    : {}
  const reply = await session.receive({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
  const message = JSON.parse(encode(reply as Response)) as { result: JsonObject; error?: unknown }
  expect(message.error).toBeUndefined()
  return message.result
}

const server = (run: Run, listing: JsonObject = {}, view?: ServerView): Server =>
  createServer({ name: 'test', version: '1.0.0', tools: [passing(listing, run)], view })

test.each([true, false])('a result passes with all that was said, whatever it is (modern: %s)', async (modern) => {
  const result = await ask(
    server(() => answer({ at: 1 }, { forwarded: SAID })),
    'tools/call',
    { name: 'look' },
    modern,
  )
  const { _meta, ...rest } = result as { _meta: JsonObject }
  const { _meta: _, ...said } = SAID
  expect(rest).toEqual(modern ? { ...said, resultType: 'complete' } : said)
  expect(_meta).toMatchObject({ 'other/key': 'kept', [META.result]: { status: 'success' } })
  expect(META.serverInfo in _meta).toBe(modern)
})

test('a result without content has none for a client of the modern era, which requires the field', async () => {
  const bare = { message: 'Hello' }
  const made = server(() => answer({}, { forwarded: bare }))
  expect(await ask(made, 'tools/call', { name: 'look' }, true)).toMatchObject({ ...bare, content: [] })
  const { _meta, ...rest } = await ask(made, 'tools/call', { name: 'look' }, false)
  expect(rest).toEqual(bare)
})

test('its own output schema still holds', async () => {
  const strict = tool({
    ...({ name: 'up.look', version: '0.0.0', description: 'Looks.', security: 'None.' } as const),
    ...{ errors: {}, idempotent: true, destructive: false, examples: [], input: { type: 'object' } },
    output: { type: 'object', properties: { at: { type: 'string' } } },
    run: () => answer({ at: 1 } as unknown as { at: string }, { forwarded: SAID }),
  })
  const made = createServer({ name: 'test', version: '1.0.0', tools: [strict] })
  expect(await ask(made, 'tools/call', { name: 'look' }, true)).toMatchObject({
    isError: true,
    structuredContent: { error_type: 'ToolExecutionError' },
  })
})

test('a listing is shown in its own words and is part of the definition', async () => {
  const listing = {
    description: 'Looks.',
    inputSchema: { type: 'object' },
    annotations: { openWorldHint: true },
    icons: [],
  }
  const made = server(() => ({}), listing)
  const { tools } = (await ask(made, 'tools/list', {}, true)) as { tools: JsonObject[] }
  expect(tools[0]).toEqual({ ...listing, name: 'look', _meta: { [META.name]: 'up.look', [META.version]: '0.0.0' } })
  const other = passing({ ...listing, annotations: { openWorldHint: false } }, () => ({}))
  expect(other.hash).not.toBe(made.registry.find('look')?.hash)
  const schema = passing({ ...listing, outputSchema: { type: 'object' } }, () => ({}))
  expect(schema.hash).not.toBe(made.registry.find('look')?.hash)
})

test.each([true, false])('resources and prompts pass as well (modern: %s)', async (modern) => {
  const made = createServer({
    name: 'test',
    version: '1.0.0',
    resources: [
      withUpstreamListing(
        resource({
          uri: 'x://a',
          name: 'a',
          read: () =>
            new ForwardedResult({
              contents: [{ uri: 'x://a', text: 'A', _meta: { z: 1 } }],
              _meta: { q: 2 },
              ttlMs: 7,
            }),
        }),
        { name: 'a', icons: [] },
      ),
    ],
    prompts: [
      withUpstreamListing(
        prompt({ name: 'p', get: () => new ForwardedResult({ description: 'D', messages: [], more: 1 }) }),
        { name: 'other', icons: [] },
      ),
    ],
  })
  const read = await ask(made, 'resources/read', { uri: 'x://a' }, modern)
  expect(read).toMatchObject({ contents: [{ uri: 'x://a', text: 'A', _meta: { z: 1 } }], _meta: { q: 2 } })
  expect(read.ttlMs).toBe(modern ? 7 : undefined)
  expect(await ask(made, 'resources/list', {}, modern)).toMatchObject({
    resources: [{ uri: 'x://a', name: 'a', icons: [] }],
  })
  expect(await ask(made, 'prompts/get', { name: 'p' }, modern)).toMatchObject({
    description: 'D',
    messages: [],
    more: 1,
  })
  expect(await ask(made, 'prompts/list', {}, modern)).toMatchObject({ prompts: [{ name: 'p', icons: [] }] })
})

test('what a round carried is there in the next one, and its answers are to that question alone', async () => {
  const question = {
    name: {
      method: 'elicitation/create' as const,
      params: { mode: 'form' as const, message: 'Name?', requestedSchema: { type: 'object' as const, properties: {} } },
    },
  }
  const seen: unknown[] = []
  const made = server(async (_input, ctx) => {
    seen.push(ctx.carried)
    const at = (ctx.carried?.at as number | undefined) ?? 1
    await ctx.ask(question, { carried: { at } })
    if (at === 1) await ctx.ask(question, { carried: { at: 2 } })
    return answer({ at }, { forwarded: { content: [] } })
  })
  const first = await ask(made, 'tools/call', { name: 'look' }, true)
  expect(first).toMatchObject({ resultType: 'input_required', inputRequests: question })
  const inputResponses = { name: { action: 'accept', content: {} } }
  const next = { name: 'look', inputResponses, requestState: first.requestState as string }
  const second = await ask(made, 'tools/call', next, true)
  expect(second).toMatchObject({ resultType: 'input_required' })
  const third = await ask(made, 'tools/call', { ...next, requestState: second.requestState as string }, true)
  expect(third).toMatchObject({ resultType: 'complete' })
  expect(seen).toEqual([undefined, { at: 1 }, { at: 2 }])
})

test('a round may end without a question', async () => {
  const made = server((_input, ctx) => {
    if (ctx.carried === undefined) throw new InputRequired({}, { again: true })
    return answer({}, { forwarded: { content: [] } })
  })
  const first = await ask(made, 'tools/call', { name: 'look' }, true)
  expect(first).toMatchObject({ resultType: 'input_required', inputRequests: {} })
  const second = await ask(made, 'tools/call', { name: 'look', requestState: first.requestState as string }, true)
  expect(second).toMatchObject({ resultType: 'complete' })
})

test('a call can be meant for another tool, and only some tools be listed', async () => {
  const view = new ServerView()
  const made = server((input) => input as Record<string, unknown>, {}, view)
  view.alias = (name, args) => (name === 'call' ? (args as { name: string; arguments: unknown }) : undefined)
  const called = await ask(made, 'tools/call', { name: 'call', arguments: { name: 'look', arguments: { a: 1 } } }, true)
  expect(called).toMatchObject({ structuredContent: { a: 1 } })
  view.listFilter = () => false
  expect(await ask(made, 'tools/list', {}, true)).toMatchObject({ tools: [] })
  const whole = server((input) => input as Record<string, unknown>)
  expect(await ask(whole, 'tools/list', {}, true)).toMatchObject({ tools: [{ name: 'look' }] })
})
