/** `@modelcontextprotocol/sdk` 1.x: what most clients in the field are built on. Legacy era only. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Target } from '../tapped-server.ts'
import type {
  CallResult,
  Contents,
  ElicitHandler,
  ForeignClient,
  ListedTool,
  OfficialConnection,
  ReceivedNotification,
} from './peer.ts'
import { CAPABILITIES, ROOTS, sampled } from './scripted-user.ts'

export const NOTIFICATIONS = [
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
]

export function transportOf(target: Target): Transport {
  if (target.kind === 'stdio') return new StdioClientTransport({ ...target, stderr: 'ignore' })
  return new StreamableHTTPClientTransport(new URL(target.url))
}

async function connect(target: Target, elicit: ElicitHandler): Promise<OfficialConnection> {
  const client = new Client({ name: 'sdk1', version: '1.0.0' }, { capabilities: CAPABILITIES })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ ...elicit(params.message) }))
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sampled(params))
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS)
  const transport = transportOf(target)
  let version = ''
  const negotiated = transport.setProtocolVersion?.bind(transport)
  transport.setProtocolVersion = (agreed) => {
    version = agreed
    negotiated?.(agreed)
  }
  await client.connect(transport)

  const connected: OfficialConnection = {
    version,
    server: client.getServerVersion() ?? { name: '', version: '' },
    tools: () => pages(async (cursor) => list(await client.listTools({ cursor }), 'tools') as Page<ListedTool>),
    call: async (name, args, { signal, onProgress } = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: onProgress }),
      })) as CallResult,
    resources: () => pages(async (cursor) => list(await client.listResources({ cursor }), 'resources')),
    templates: () => pages(async (cursor) => list(await client.listResourceTemplates({ cursor }), 'resourceTemplates')),
    read: async (uri) => (await client.readResource({ uri })).contents as Contents[],
    prompts: () => pages(async (cursor) => list(await client.listPrompts({ cursor }), 'prompts')),
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (ref, name, value, others) => {
      const context = others && { context: { arguments: others } }
      return (await client.complete({ ref, argument: { name, value }, ...context })).completion.values
    },
    logLevel: async (level) => void (await client.setLoggingLevel(level)),
    subscribe: async (uri) => void (await client.subscribeResource({ uri })),
    watchLists: async () => {},
    onNotification: () => {},
    close: () => client.close(),
  }
  for (const schema of NOTIFICATIONS) {
    client.setNotificationHandler(schema, (notification) =>
      connected.onNotification(notification as ReceivedNotification),
    )
  }
  return connected
}

interface Page<T> {
  items: T[]
  nextCursor: string | undefined
}

const list = <K extends string, T>(page: { nextCursor?: string } & Record<K, T[]>, key: K): Page<T> => ({
  items: page[key],
  nextCursor: page.nextCursor,
})

async function pages<T>(fetch: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await fetch(cursor)
    all.push(...page.items)
    cursor = page.nextCursor
  }
  return all
}

export const sdk1: ForeignClient<OfficialConnection> = { name: 'sdk 1.x', era: 'legacy', connect }
