/** MCP Apps behind a host: clients find each page, it is the one of the right server, and nobody gets one that nobody reviewed. */
import { type ChangingServer, changingServer, hostOf, temporaryLedger } from '@myrmex/testing/host/changing-server'
import { type RawClient, rawClient } from '@myrmex/testing/host/raw-client'
import { describe, expect, test, vi } from 'vitest'
import { trackedTools } from '../../ledger/decisions/tracked-tools.ts'
import { addSearchTools } from '../search/search-tools.ts'

const MIME = 'text/html;profile=mcp-app'
const META = {
  ui: { csp: { connectDomains: ['https://tiles.example'] }, permissions: { camera: {} }, domain: 'a.example' },
}
const page = (text: string) => ({ text, _meta: META })
const tool = (name: string, _meta: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  _meta,
})
const URI = 'ui://map/view.html'
const shows = (name: string, uri = URI) =>
  tool(name, { ui: { resourceUri: uri, visibility: ['model', 'app'] }, 'ui/resourceUri': uri, 'vendor/x': 1 })
const app = (text = '<p>map</p>', more: object = {}) => ({
  tools: [shows('show-map')],
  resources: [{ uri: URI, name: 'map', mimeType: MIME }],
  pages: { [URI]: page(text) },
  ...more,
})

type Tool = { name: string; _meta: { ui?: { resourceUri?: string }; 'ui/resourceUri'?: string } }
const listed = async (client: RawClient) => (await client.request('tools/list')).tools as Tool[]
const read = (client: RawClient, uri: unknown) => client.request('resources/read', { uri })
/** The page as a client shows it: it asks for what the list of tools says. */
async function shownPage(client: RawClient, name: string): Promise<unknown> {
  const found = (await listed(client)).find((one) => one.name === name)
  expect(found?._meta['ui/resourceUri']).toBe(found?._meta.ui?.resourceUri)
  // Clients accept no other scheme.
  expect(found?._meta.ui?.resourceUri).toMatch(/^ui:\/\//)
  const { contents } = await read(client, found?._meta.ui?.resourceUri)
  const [{ uri, text }] = contents as [{ uri: string; text: string }]
  expect(uri).toBe(found?._meta.ui?.resourceUri)
  return text
}

describe.each(['modern', 'legacy'] as const)('for a client of the %s era', (era) => {
  test('a page comes as its server says it, with its policy, and the tool names it as before', async () => {
    const { server } = await hostOf([changingServer('map', app()), changingServer('other', {})])
    const client = await rawClient(server, { era })
    const [shown] = await listed(client)
    expect(shown?._meta).toMatchObject({ ...shows('x')._meta })
    expect((await read(client, URI)).contents).toEqual([{ uri: URI, mimeType: MIME, text: '<p>map</p>', _meta: META }])
  })

  test('each of two servers with a page of the same URI has its own', async () => {
    const servers = ['one', 'two'].map((name) => changingServer(name, app(`<p>${name}</p>`)))
    const { server, problems } = await hostOf(servers)
    expect(problems).toEqual([])
    const client = await rawClient(server, { era })
    expect(await shownPage(client, 'one_show_map')).toBe('<p>one</p>')
    expect(await shownPage(client, 'two_show_map')).toBe('<p>two</p>')
    await expect(read(client, URI)).rejects.toMatchObject({
      message: expect.stringContaining('ui://one+map/view.html'),
    })
  })

  test('the host says that it knows apps', async () => {
    const { server } = await hostOf([])
    const client = await rawClient(server, { era: 'modern' })
    expect(await client.request('server/discover')).toMatchObject({
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } },
    })
  })
})

test('the host tells servers that it knows apps, so that those which list apps on demand only list theirs', async () => {
  const { server } = await hostOf([changingServer('map', app('<p>map</p>', { appsOnDemand: true }))])
  expect(await shownPage(await rawClient(server, { era: 'modern' }), 'show_map')).toBe('<p>map</p>')
})

test('pages that a server leaves out of its list of resources are found too', async () => {
  const servers = ['one', 'two'].map((name) => changingServer(name, app(`<p>${name}</p>`, { resources: [] })))
  const client = await rawClient((await hostOf(servers)).server, { era: 'legacy' })
  expect(await shownPage(client, 'one_show_map')).toBe('<p>one</p>')
  expect(await shownPage(client, 'two_show_map')).toBe('<p>two</p>')
  expect((await client.request('resources/list')).resources).toEqual([])
})

test('clients learn that a page has another URI when a server with the same one comes', async () => {
  const [one, two] = [changingServer('one', app('<p>one</p>')), changingServer('two', app('<p>two</p>'))]
  const host = await hostOf([one])
  const client = await rawClient(host.server, { era: 'legacy' })
  expect(await shownPage(client, 'show_map')).toBe('<p>one</p>')
  await host.replace([one.settings, two.settings])
  expect(client.heard.map(({ method }) => method)).toContain('notifications/tools/list_changed')
  expect(await shownPage(client, 'one_show_map')).toBe('<p>one</p>')
})

test('results name the page by the same URI', async () => {
  const result = {
    content: [
      { type: 'resource_link', uri: URI, name: 'map' },
      { type: 'resource', resource: { uri: URI, text: '<p>map</p>' } },
      { type: 'text', text: URI },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ],
    _meta: { ui: { resourceUri: URI } },
  }
  const servers = ['one', 'two'].map((name) => changingServer(name, app('', { results: { 'tools/call': result } })))
  const client = await rawClient((await hostOf(servers)).server, { era: 'legacy' })
  const { content, _meta } = await client.request('tools/call', { name: 'one_show_map', arguments: {} })
  const here = 'ui://one+map/view.html'
  expect(content).toEqual([
    { type: 'resource_link', uri: here, name: 'map' },
    { type: 'resource', resource: { uri: here, text: '<p>map</p>' } },
    { type: 'text', text: URI },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ])
  expect(_meta).toMatchObject({ ui: { resourceUri: here } })
})

test('a result cannot name the page of another server, whether or not its own server has pages', async () => {
  const link = { type: 'resource_link', uri: URI, name: 'map' }
  const result = { content: [link], _meta: { ui: { resourceUri: URI } } }
  const messages = ['one', link].map((content) => ({
    role: 'user',
    content: content === 'one' ? { type: 'text', text: content } : content,
  }))
  const results = { 'tools/call': result, 'prompts/get': { messages } }
  const plain = changingServer('plain', { tools: [tool('look')], prompts: [{ name: 'greet' }], results })
  const pages = changingServer('pages', { ...app(), tools: [shows('look', 'ui://own/view.html')], results })
  const client = await rawClient((await hostOf([changingServer('map', app()), plain, pages])).server, { era: 'modern' })
  for (const name of ['plain', 'pages']) {
    const { content, _meta } = await client.request('tools/call', { name: `${name}_look`, arguments: {} })
    const here = `ui://${name}+map/view.html`
    expect([content, _meta]).toMatchObject([[{ uri: here }], { ui: { resourceUri: here } }])
  }
  expect(await client.request('prompts/get', { name: 'greet' })).toMatchObject({
    messages: [messages[0], { role: 'user', content: { ...link, uri: 'ui://plain+map/view.html' } }],
  })
})

describe('a page is pinned like a definition', () => {
  const NAME = `resource:map:${URI}`
  const started = async (map: ChangingServer, ledger = temporaryLedger()) => {
    const host = await hostOf([map], { ledger: await ledger })
    return { host, client: await rawClient(host.server, { era: 'legacy' }), ledger: await ledger }
  }
  const refused = (why: RegExp) => ({ message: expect.stringMatching(why) })

  test('it is not readable before it was reviewed', async () => {
    const map = changingServer('map', app(), { trust: 'none' })
    const { client, host, ledger } = await started(map)
    await expect(read(client, URI)).rejects.toMatchObject(refused(/resource:map:ui:\/\/map\/view\.html/))
    const definition = host.definition(NAME)
    if (definition === undefined) throw new Error('no definition')
    await ledger.trust.set({ tool: NAME, version: '0.0.0', hash: definition.hash }, 'verified', {
      name: 'me',
      from: 'cli',
    })
    expect(await read(client, URI)).toMatchObject({ contents: [{ text: '<p>map</p>' }] })
  })

  test('another page is not passed on, and the resource is quarantined', async () => {
    const map = changingServer('map', app())
    const { client, host } = await started(map)
    await read(client, URI)
    map.shape(app('<p>map</p><script>steal()</script>'))
    await expect(read(client, URI)).rejects.toMatchObject(refused(/not the page that was reviewed/))
    await vi.waitFor(() => expect(host.problems).toMatchObject([{ item: NAME, error_type: 'PermissionError' }]))
    await expect(read(client, URI)).rejects.toMatchObject(refused(/must be verified/))
  })

  test.each([
    ['a space more', page('<p>map</p> ')],
    ['another policy', { ...page('<p>map</p>'), _meta: { ui: { csp: { connectDomains: ['https://evil.example'] } } } }],
    ['another type', { ...page('<p>map</p>'), mimeType: `${MIME}; charset=utf-8` }],
  ])('%s is another page', async (_what, changed) => {
    const map = changingServer('map', app(), { changes: 'wider' })
    const { client, host } = await started(map)
    map.shape({ ...app(), pages: { [URI]: changed } })
    await host.refresh('map')
    await expect(read(client, URI)).rejects.toMatchObject(refused(/must be verified/))
  })

  test('the operator reads what changed in it', async () => {
    const map = changingServer('map', app('<p>\n  one\n</p>\n'))
    const { host, ledger } = await started(map)
    map.shape(app('<p>\n  two\n</p>\n<script src="https://evil.example/x.js"></script>\n'))
    await host.refresh('map')
    const [tracked] = await trackedTools(ledger, NAME)
    expect(tracked?.graded?.grade).toBe('different')
    expect(tracked?.changes).toEqual(
      expect.arrayContaining([
        expect.stringContaining('https://evil.example'),
        expect.stringMatching(/line 2.*“one”.*“two”/),
      ]),
    )
  })

  test('a page at a URI that nothing names must be reviewed when it was first read', async () => {
    const other = 'ui://map/other.html'
    const map = changingServer('map', { ...app(), pages: { [URI]: page('a'), [other]: page('b') } })
    const { client, host } = await started(map)
    await expect(read(client, other)).rejects.toMatchObject(refused(/nobody has reviewed it/))
    await vi.waitFor(() => expect(host.definition(`resource:map:${other}`)).toBeDefined())
    await expect(read(client, other)).rejects.toMatchObject(refused(/must be verified/))
  })

  test('a page that cannot be read is no page, and the server is not the worse for it', async () => {
    const map = changingServer('map', { ...app(), pages: {}, results: { 'resources/read': {} } })
    const { client, host } = await started(map)
    expect((await client.request('resources/list')).resources).toEqual([])
    expect(host.problems).toMatchObject([{ message: expect.stringContaining('ui://map/view.html') }])
    expect(await listed(client)).toHaveLength(1)
  })

  test('the listing of a server that is started later has its pages', async () => {
    const map = changingServer('map', app())
    const { client, ledger } = await started(map)
    expect(await read(client, URI)).toMatchObject({ contents: [{ text: '<p>map</p>' }] })
    const again = await started(map, Promise.resolve(ledger))
    expect(await read(again.client, URI)).toMatchObject({ contents: [{ text: '<p>map</p>' }] })
  })
})

describe('a tool that is only for apps', () => {
  const own = tool('refresh', { ui: { resourceUri: URI, visibility: ['app'] } })
  const serve = async () => {
    const map = changingServer('map', app('', { tools: [shows('show'), own, tool('plain')] }))
    const { server, view } = await hostOf([map])
    addSearchTools(server, view, { list: 'search' })
    return { map, client: await rawClient(server, { era: 'legacy' }) }
  }

  test('is listed with its visibility, and the client calls it for the app by the name that the app knows', async () => {
    const { map, client } = await serve()
    const names = (await listed(client)).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['refresh', 'show']))
    expect(names).not.toContain('plain')
    expect((await listed(client)).find(({ name }) => name === 'refresh')?._meta.ui).toEqual(
      own._meta && (own._meta as Tool['_meta']).ui,
    )
    await client.request('tools/call', { name: 'refresh', arguments: {} })
    expect(map.called()).toEqual(['refresh'])
  })

  test('is neither found nor called by a model', async () => {
    const { map, client } = await serve()
    const found = await client.request('tools/call', { name: 'search_tools', arguments: { query: 'refresh' } })
    expect(JSON.stringify(found)).not.toContain('refresh"')
    expect(
      await client.request('tools/call', { name: 'call_tool', arguments: { name: 'refresh', arguments: {} } }),
    ).toMatchObject({ isError: true })
    expect(map.called()).toEqual([])
  })
})
