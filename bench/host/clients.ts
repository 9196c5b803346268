// The official clients that the host is measured with, in one form: SDK 1.x, and SDK 2.x in either era.
import { setTimeout as pause } from 'node:timers/promises'
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as Sse1 } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { DirectTransport } from '../../packages/myrmex/src/client/direct-transport.ts'
import { Server } from '../../packages/myrmex/src/server/server.ts'
import type { Result, UpstreamTarget } from './upstreams.ts'

export type ClientName = 'sdk1' | 'sdk2' | 'sdk2 modern'

export interface OpenedClient {
  /** the name that the tool is listed by, as soon as it is: bare, or with its server in front */
  named(tool: string): Promise<string>
  call(name: string, args: Record<string, unknown>): Promise<Result>
  /** the names of all; every page is fetched and checked as the client does it */
  list(): Promise<string[]>
  readonly era: string
  /** the process at the other end; undefined if it is this one */
  readonly pid: number | undefined
  close(): Promise<void>
}

const info = { name: 'myrmex-bench', version: '1.0.0' }

export async function open(name: ClientName, to: UpstreamTarget): Promise<OpenedClient> {
  return name === 'sdk1' ? open1(to) : open2(to, name === 'sdk2' ? 'legacy' : 'auto')
}

async function open1(to: UpstreamTarget): Promise<OpenedClient> {
  const client = new Client1(info)
  const transport = transport1(to)
  await client.connect(transport)
  const pages = async (): Promise<string[]> => {
    const names: string[] = []
    let cursor: string | undefined
    do {
      const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor })
      names.push(...tools.map((tool) => tool.name))
      cursor = nextCursor
    } while (cursor !== undefined)
    return names
  }
  return {
    named: (tool) => listedName(pages, tool),
    call: async (tool, args) => (await client.callTool({ name: tool, arguments: args })) as Result,
    list: pages,
    era: 'legacy',
    pid: pidOf(to, transport),
    close: () => client.close(),
  }
}

async function open2(to: UpstreamTarget, mode: 'legacy' | 'auto'): Promise<OpenedClient> {
  const client = new Client2(info, { versionNegotiation: { mode } })
  const transport = transport2(to)
  await client.connect(transport)
  const names = async (): Promise<string[]> =>
    (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map((tool) => tool.name)
  return {
    named: (tool) => listedName(names, tool),
    call: async (tool, args) => (await client.callTool({ name: tool, arguments: args })) as Result,
    list: names,
    era: client.getProtocolEra() ?? 'legacy',
    pid: pidOf(to, transport),
    close: () => client.close(),
  }
}

function transport1(to: UpstreamTarget): Stdio1 | Http1 | Sse1 {
  if (to instanceof Server) throw new Error('SDK 1.x is not measured in process')
  if (!('url' in to)) return new Stdio1({ ...to, stderr: 'ignore' })
  return to.transport === 'HTTP+SSE' ? new Sse1(to.url) : new Http1(to.url)
}

function transport2(to: UpstreamTarget): Stdio2 | Http2 | DirectTransport {
  if (to instanceof Server) return new DirectTransport(to)
  return 'url' in to ? new Http2(to.url) : new Stdio2({ ...to, stderr: 'ignore' })
}

function pidOf(to: UpstreamTarget, transport: object): number | undefined {
  if ('url' in to) return to.pid
  return transport instanceof Stdio1 || transport instanceof Stdio2 ? (transport.pid ?? undefined) : undefined
}

/** A host may answer before its upstream has told what it offers. */
const PATIENCE_MS = 30_000

async function listedName(list: () => Promise<string[]>, tool: string): Promise<string> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const names = await list()
    const found = names.find((name) => name === tool) ?? names.find((name) => name.endsWith(`_${tool}`))
    if (found !== undefined) return found
    if (performance.now() > end)
      throw new Error(`${tool} is not listed; there are ${names.slice(0, 20).join(', ') || 'no tools'}`)
    await pause(50)
  }
}
