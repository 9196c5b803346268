/** What can be connected to, and the official transport for each. */
import type { Transport } from '@modelcontextprotocol/client'
import { Server } from '../server/server.ts'

export interface CommandTarget {
  command: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  /** where the child's stderr goes; default: inherit */
  stderr?: 'inherit' | 'ignore'
}

export interface UrlTarget {
  url: string | URL
  /** sent as a bearer token */
  token?: string
  headers?: Record<string, string>
}

/** A server in this process, a command to start, or a URL. */
export type Target = Server | CommandTarget | UrlTarget

/** The official client's default of 10 MiB would close the connection. This is the maximum length of a string. */
const LARGEST_MESSAGE = 512 * 1024 * 1024

/** The target's name in messages. Never its headers or environment, which may hold secrets. */
export function targetName(target: Target): string {
  if (target instanceof Server) return target.info.name
  return 'command' in target ? [target.command, ...(target.args ?? [])].join(' ') : String(target.url)
}

export async function openTransport(target: Target): Promise<Transport> {
  if (target instanceof Server) {
    const { DirectTransport } = await import('./direct-transport.ts')
    return new DirectTransport(target)
  }
  if ('command' in target) {
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    return new StdioClientTransport({ ...target, stderr: target.stderr ?? 'inherit', maxBufferSize: LARGEST_MESSAGE })
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const headers = { ...target.headers, ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }) }
  return new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers } })
}
