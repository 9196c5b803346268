/**
 * MCP Apps behind the host as its users start it: a real app, made with the official package, and the official clients of both SDKs.
 * What a page needs comes through unchanged, and a page that changed is held back until a person has looked at it.
 */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { getUiCapability } from '@modelcontextprotocol/ext-apps/server'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { type HostFolder, hostFolder, type StartedHost } from '@myrmex/testing/host/host-folder'
import { LONG } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const URI = 'ui://map/view.html'
const MAP_TOKEN = 'pk.public-map-token-123456'
const API_TOKEN = 'sk.private-api-token-123456'
const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
const SECRETS = { MAP_TOKEN, API_TOKEN }

type Listed = {
  name: string
  _meta?: Record<string, unknown> & { ui?: { resourceUri?: string; visibility?: string[] } }
}
interface AppClient {
  readonly name: string
  capabilities(): unknown
  tools(): Promise<Listed[]>
  read(uri: string): Promise<unknown>
  call(name: string, args?: object): Promise<{ structuredContent?: unknown }>
}

async function client2(target: string | string[], mode: 'legacy' | 'auto'): Promise<AppClient> {
  const client = new Client({ name: 'app-client', version: '1' }, { capabilities: UI, versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  const [command = '', ...args] = typeof target === 'string' ? [] : target
  await client.connect(
    typeof target === 'string'
      ? new StreamableHTTPClientTransport(new URL(target))
      : new StdioClientTransport({ command, args, stderr: 'ignore' }),
  )
  return {
    name: `SDK 2.x, ${mode}`,
    capabilities: () => client.getServerCapabilities(),
    tools: async () => (await client.listTools()).tools as Listed[],
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: async (name, args = {}) => await client.callTool({ name, arguments: args as never }),
  }
}

async function client1(url: string): Promise<AppClient> {
  const client = new Client1({ name: 'app-client', version: '1' }, { capabilities: UI })
  onTestFinished(() => client.close())
  await client.connect(new Http1(new URL(url)))
  return {
    name: 'SDK 1.x',
    capabilities: () => client.getServerCapabilities(),
    tools: async () => (await client.listTools()).tools as Listed[],
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args as never })) as object,
  }
}

const clients = (url: string): Promise<AppClient[]> =>
  Promise.all([client1(url), client2(url, 'legacy'), client2(url, 'auto')])

const pageFile = ({ write }: HostFolder, name: string, text: string): string => write(`${name}.html`, text)
const app = (page: string, more: object = {}): object => ({
  command: process.execPath,
  args: [fixturePath('host/map-app.ts'), page],
  env: { MAP_TOKEN: { from_env: 'MAP_TOKEN' }, API_TOKEN: { from_env: 'API_TOKEN' }, ...more },
  trust: 'verified',
})

async function started(folder: HostFolder, config: object): Promise<{ host: StartedHost; url: string }> {
  folder.write('project/myrmex.json', config)
  const host = folder.start(['--http', '0', '--open'], SECRETS)
  return { host, url: await host.says(/listening at (\S+);/) }
}
const found = async (client: AppClient, end: string): Promise<Listed> => {
  const listed = await client.tools()
  return listed.find(({ name }) => name.endsWith(end)) ?? expect.fail(`no ${end} in ${listed.map(({ name }) => name)}`)
}

test('everything that an app needs comes through as its server says it, to every client', async () => {
  const folder = hostFolder()
  const page = pageFile(folder, 'page', '<p>the map</p>')
  const direct = await client2([process.execPath, fixturePath('host/map-app.ts'), page], 'auto')
  const { url } = await started(folder, { mcpServers: { map: app(page) } })
  const contents = await direct.read(URI)
  expect(contents).toMatchObject([{ _meta: { ui: { permissions: { geolocation: {} }, csp: expect.any(Object) } } }])
  const shown = (await direct.tools()).map(({ _meta }) => _meta)
  for (const client of await clients(url)) {
    expect(getUiCapability(client.capabilities() as never), client.name).toBeDefined()
    const names = (await client.tools()).map(({ name }) => name)
    expect(names.sort(), client.name).toEqual(['call_tool', 'refresh', 'search_tools', 'show'])
    for (const [index, end] of ['show', 'refresh'].entries())
      expect((await found(client, end))._meta, client.name).toMatchObject({
        ...shown[index],
        'myrmex/version': '2.5.0',
        'myrmex/isServerVersion': true,
      })
    expect(await client.read(URI), client.name).toEqual(contents)
    expect((await client.call('map_show', { place: 'Ulm' })).structuredContent).toMatchObject({ place: 'Ulm' })
    // As the page calls it, by the name that its own server gives it.
    expect(await client.call('map_refresh')).not.toHaveProperty('isError', true)
  }
})

test.runIf(LONG)('two apps of one URI have a URI each, and each tool leads to its own page', async () => {
  const folder = hostFolder()
  const [one, two] = ['one', 'two'].map((name) => pageFile(folder, name, `<p>${name}</p>`))
  const { url } = await started(folder, { mcpServers: { one: app(one as string), two: app(two as string) } })
  for (const client of await clients(url)) {
    for (const name of ['one', 'two']) {
      const { _meta } = await found(client, `${name}_map_show`)
      const uri = _meta?.ui?.resourceUri as string
      expect(uri).toBe(`ui://${name}+map/view.html`)
      expect(_meta?.['ui/resourceUri']).toBe(uri)
      expect(await client.read(uri)).toMatchObject([{ uri, text: `<p>${name}</p>` }])
    }
    await expect(client.read(URI)).rejects.toThrow(/ui:\/\/one\+map\/view\.html/)
  }
})

test('a value that is declared public stays in the results of that server, and nowhere else', async () => {
  const folder = hostFolder()
  const page = pageFile(folder, 'page', '<p>the map</p>')
  const { host, url } = await started(folder, {
    mcpServers: {
      open: app(page, { MAP_TOKEN: { from_env: 'MAP_TOKEN', public: true } }),
      closed: app(page),
    },
  })
  for (const client of await clients(url)) {
    const said = async (name: string) => (await client.call(name, { place: 'Ulm' })).structuredContent
    expect(await said('open_map_show')).toEqual({ place: 'Ulm', token: MAP_TOKEN, key: '[secret]' })
    expect(await said('closed_map_show')).toEqual({ place: 'Ulm', token: '[secret]', key: '[secret]' })
  }
  expect(host.said()).not.toContain(API_TOKEN)
  expect(host.said()).not.toContain(MAP_TOKEN)
})

test.runIf(LONG)('a page that changed after its review is held back until a person has looked at it', async () => {
  const folder = hostFolder()
  const { env, project } = folder
  const page = pageFile(folder, 'page', '<p>one</p>\n')
  const { url, host } = await started(folder, { mcpServers: { map: app(page) } })
  const client = await client2(url, 'auto')
  expect(await client.read(URI)).toMatchObject([{ text: '<p>one</p>\n' }])
  writeFileSync(page, '<p>one</p>\n<script src="https://evil.example/x.js"></script>\n')
  await expect(client.read(URI)).rejects.toThrow(/not the page that was reviewed/)
  const name = `resource:map:${URI}`
  const myrmex = (...args: string[]) => runToEnd(args, { cwd: project, env })
  await vi.waitFor(async () => {
    const { stdout } = await myrmex('trust', 'status', name)
    expect(stdout).toContain('changed since it was verified')
    expect(stdout).toContain('https://evil.example')
  })
  const { stdout: status } = await myrmex('host', 'status')
  expect(status.replace(/\s+/g, ' ')).toContain(`map: 1 changed (different): npx myrmex verify ${name}`)
  await expect(client.read(URI)).rejects.toThrow(/must be verified/)
  expect(await myrmex('verify', name, '--yes')).toMatchObject({ code: 0 })
  await vi.waitFor(
    async () => expect(await client.read(URI)).toMatchObject([{ text: expect.stringContaining('evil') }]),
    {
      timeout: 10_000,
    },
  )
  expect(existsSync(join(project, '.myrmex'))).toBe(true)
  expect(await host.end()).toBe(0)
})

describe('tools for apps only, and profiles', () => {
  test.runIf(LONG)(
    'a list of search tools still has what an app needs, and the model does not find what is for the app',
    async () => {
      const folder = hostFolder()
      const page = pageFile(folder, 'page', '<p>the map</p>')
      const { url } = await started(folder, { mcpServers: { map: app(page) }, host: { list: 'search' } })
      const client = await client2(url, 'auto')
      const names = (await client.tools()).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['show', 'refresh', 'search_tools']))
      const { structuredContent } = await client.call('search_tools', { query: 'map tiles again refresh' })
      expect(JSON.stringify(structuredContent)).toContain('"name":"show"')
      expect(JSON.stringify(structuredContent)).not.toContain('refresh"')
      const refused = await client.call('call_tool', { name: 'refresh', arguments: {} })
      expect(refused).toMatchObject({ isError: true })
      expect(JSON.stringify(refused)).toContain('this one is only for the app of its server')
    },
  )

  test.runIf(LONG)(
    'a profile that has a tool has its page, by either name of the tool, and no other page',
    async () => {
      const folder = hostFolder()
      const page = pageFile(folder, 'page', '<p>the map</p>')
      const { url } = await started(folder, {
        mcpServers: { map: app(page), other: app(page) },
        profiles: { maps: { tools: ['map.map_show'] }, none: { tools: ['other.nothing'] } },
      })
      const client = await client2(`${url}/p/maps`, 'auto')
      const tools = (await client.tools()).filter(({ name }) => !name.startsWith('myrmex_'))
      expect(tools).toHaveLength(1)
      expect(await client.read(String(tools[0]?._meta?.ui?.resourceUri))).toMatchObject([{ text: '<p>the map</p>' }])
      await expect(client.read('ui://other+map/view.html')).rejects.toThrow(/not found/i)
      const nothing = await client2(`${url}/p/none`, 'auto')
      await expect(nothing.read('ui://map+map/view.html')).rejects.toThrow(/not found/i)
    },
  )
})
