/**
 * `@modelcontextprotocol/client` 2.x, the reference client. Left to choose its era, it speaks the legacy one to the servers
 * directly and the modern one to the host.
 */
import { Client as Sdk, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import * as z from 'zod'
import { LOG_LEVEL, NOTIFICATIONS } from '../../interop/clients/sdk2.ts'
import type { Target } from '../../interop/tapped-server.ts'
import { CAPABILITIES, type ScriptedUser } from '../scripted-user.ts'
import type { Client, Connection, Result } from './connection.ts'

async function open(target: Target, user: ScriptedUser, mode: 'legacy' | 'auto'): Promise<Connection> {
  const client = new Sdk(
    { name: 'sdk2', version: '2.0.0' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode } },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => ({ ...user.elicit(params) }))
  client.setRequestHandler('sampling/createMessage', ({ params }) => user.sample(params))
  client.setRequestHandler('roots/list', () => user.roots())
  /** the modern era says with every request which log messages it wants */
  let meta: Record<string, unknown> | undefined
  const connection: Connection = {
    server: { capabilities: {}, instructions: undefined },
    heard: [],
    ask: async (method, params, onprogress) => {
      const options = onprogress === undefined ? {} : { onprogress: (said: object) => onprogress({ ...said }) }
      const whole = meta === undefined ? params : { ...params, _meta: meta }
      return (await client.request({ method, params: whole }, z.looseObject({}), options)) as Result
    },
    logLevel: async (level) => {
      if (client.getProtocolEra() === 'modern') meta = { [LOG_LEVEL]: level }
      else await client.setLoggingLevel(level)
    },
    subscribe: async (uri) => {
      if (client.getProtocolEra() === 'modern') {
        const listening = await client.listen({ resourceSubscriptions: [uri] })
        return async () => listening.close()
      }
      await client.subscribeResource({ uri })
      return async () => void (await client.unsubscribeResource({ uri }))
    },
    close: () => client.close(),
  }
  for (const method of NOTIFICATIONS)
    client.setNotificationHandler(method, (told) => void connection.heard.push({ ...told }))
  await client.connect(
    target.kind === 'stdio'
      ? new StdioClientTransport({ ...target, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(target.url)),
  )
  const server = { capabilities: client.getServerCapabilities() as Result, instructions: client.getInstructions() }
  return Object.assign(connection, { server })
}

export const sdk2: readonly Client[] = (['legacy', 'auto'] as const).map((mode) => ({
  name: `client 2.x, ${mode}`,
  open: (target, user) => open(target, user, mode),
}))
