// The official clients that the host is measured with, in one form: SDK 1.x, and SDK 2.x in either era.
import { Client as Client2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { DirectTransport } from '../../packages/myrmex/src/client/direct-transport.ts'
import { Server } from '../../packages/myrmex/src/server/server.ts'
import type { Result, UpstreamTarget } from './upstreams.ts'

export type ClientName = 'sdk1' | 'sdk2' | 'sdk2 modern'

export interface OpenedClient {
  /** the name that the tool is listed by: bare, or with its server in front */
  named(tool: string): Promise<string>
  call(name: string, args: Record<string, unknown>): Promise<Result>
  /** the names of all; every page is fetched and checked as the client does it */
  list(): Promise<string[]>
  readonly era: string
  readonly pid: number | undefined
  close(): Promise<void>
}

const info = { name: 'myrmex-bench', version: '1.0.0' }

export async function open(name: ClientName, to: UpstreamTarget): Promise<OpenedClient> {
  return name === 'sdk1' ? open1(to) : open2(to, name === 'sdk2' ? 'legacy' : 'auto')
}

async function open1(to: UpstreamTarget): Promise<OpenedClient> {
  if (to instanceof URL || to instanceof Server) throw new Error('SDK 1.x is measured on stdio only')
  const client = new Client1(info)
  const transport = new Stdio1({ ...to, stderr: 'ignore' })
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
    named: async (tool) => listedName(await pages(), tool),
    call: async (tool, args) => (await client.callTool({ name: tool, arguments: args })) as Result,
    list: pages,
    era: 'legacy',
    pid: transport.pid ?? undefined,
    close: () => client.close(),
  }
}

async function open2(to: UpstreamTarget, mode: 'legacy' | 'auto'): Promise<OpenedClient> {
  const client = new Client2(info, { versionNegotiation: { mode } })
  const transport = transportTo(to)
  await client.connect(transport)
  const names = async (): Promise<string[]> =>
    (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map((tool) => tool.name)
  return {
    named: async (tool) => listedName(await names(), tool),
    call: async (tool, args) => (await client.callTool({ name: tool, arguments: args })) as Result,
    list: names,
    era: client.getProtocolEra() ?? 'legacy',
    pid: transport instanceof Stdio2 ? (transport.pid ?? undefined) : undefined,
    close: () => client.close(),
  }
}

function transportTo(to: UpstreamTarget): Stdio2 | StreamableHTTPClientTransport | DirectTransport {
  if (to instanceof Server) return new DirectTransport(to)
  return to instanceof URL ? new StreamableHTTPClientTransport(to) : new Stdio2({ ...to, stderr: 'ignore' })
}

function listedName(names: readonly string[], tool: string): string {
  const found = names.find((name) => name === tool) ?? names.find((name) => name.endsWith(`_${tool}`))
  if (found === undefined) throw new Error(`${tool} is not listed; there are ${names.slice(0, 20).join(', ')}`)
  return found
}
