/** `@modelcontextprotocol/sdk` 1.x: what most clients in the field are built on. Tools are called as programs call them, with its checks. */
import { Client as Sdk } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { NOTIFICATIONS, transportOf } from '../../interop/clients/sdk1.ts'
import type { Target } from '../../interop/tapped-server.ts'
import { CAPABILITIES, type ScriptedUser } from '../scripted-user.ts'
import type { Client, Connection, ReceivedNotification, Result } from './connection.ts'

async function open(target: Target, user: ScriptedUser): Promise<Connection> {
  const client = new Sdk({ name: 'sdk1', version: '1.0.0' }, { capabilities: CAPABILITIES })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ ...user.elicit(params) }))
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => user.sample(params))
  client.setRequestHandler(ListRootsRequestSchema, () => user.roots())
  const connection: Connection = {
    server: { capabilities: {}, instructions: undefined },
    heard: [],
    ask: async (method, params, onprogress) => {
      const options = onprogress === undefined ? {} : { onprogress: (said: object) => onprogress({ ...said }) }
      if (method === 'tools/call')
        return (await client.callTool(params as { name: string }, undefined, options)) as Result
      return (await client.request({ method, params }, ResultSchema, options)) as Result
    },
    logLevel: async (level) => void (await client.setLoggingLevel(level)),
    subscribe: async (uri) => {
      await client.subscribeResource({ uri })
      return async () => void (await client.unsubscribeResource({ uri }))
    },
    close: () => client.close(),
  }
  for (const schema of NOTIFICATIONS)
    client.setNotificationHandler(schema, (told) => void connection.heard.push(told as ReceivedNotification))
  await client.connect(transportOf(target))
  // So that it knows what to hold results against.
  await client.listTools()
  const server = { capabilities: client.getServerCapabilities() as Result, instructions: client.getInstructions() }
  return Object.assign(connection, { server })
}

export const sdk1: Client = { name: 'SDK 1.x', open }
