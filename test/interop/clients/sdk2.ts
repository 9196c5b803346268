/** `@modelcontextprotocol/client` 2.x, the reference client: in the legacy era by default, in the modern one when told. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Target } from '../tapped-server.ts'
import type { CallResult, Contents, ElicitHandler, Era, ForeignClient, ListedTool, OfficialConnection } from './peer.ts'
import { CAPABILITIES, ROOTS, sampled } from './scripted-user.ts'

export const NOTIFICATIONS = [
  'notifications/message',
  'notifications/resources/updated',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
] as const

export const LOG_LEVEL = 'io.modelcontextprotocol/logLevel'

async function connect(target: Target, elicit: ElicitHandler, mode: 'legacy' | 'auto'): Promise<OfficialConnection> {
  const client = new Client(
    { name: 'sdk2', version: '2.0.0' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode } },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => ({ ...elicit(params.message) }))
  client.setRequestHandler('sampling/createMessage', ({ params }) => sampled(params))
  client.setRequestHandler('roots/list', () => ROOTS)
  await client.connect(
    target.kind === 'stdio'
      ? new StdioClientTransport({ ...target, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(target.url)),
  )
  const modern = client.getProtocolEra() === 'modern'
  /** the modern era says with every request which log messages it wants */
  let meta: Record<string, unknown> = {}

  const connected: OfficialConnection = {
    version: client.getNegotiatedProtocolVersion() ?? '',
    server: client.getServerVersion() ?? { name: '', version: '' },
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args, { signal, onProgress } = {}) =>
      (await client.callTool(
        { name, arguments: args, ...(Object.keys(meta).length > 0 && { _meta: meta }) },
        { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      )) as CallResult,
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents as Contents[],
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, args) => (await client.getPrompt({ name, ...(args && { arguments: args }) })).messages,
    complete: async (ref, name, value, others) => {
      const context = others && { context: { arguments: others } }
      return (await client.complete({ ref, argument: { name, value }, ...context })).completion.values
    },
    logLevel: async (level) => {
      if (modern) meta = { [LOG_LEVEL]: level }
      else await client.setLoggingLevel(level)
    },
    subscribe: async (uri) => {
      if (modern) await client.listen({ resourceSubscriptions: [uri] })
      else await client.subscribeResource({ uri })
    },
    watchLists: async () => {
      if (!modern) return
      await client.listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true })
    },
    onNotification: () => {},
    close: () => client.close(),
  }
  for (const method of NOTIFICATIONS) {
    client.setNotificationHandler(method, (notification) => connected.onNotification({ ...notification }))
  }
  return connected
}

const peer = (era: Era, mode: 'legacy' | 'auto'): ForeignClient<OfficialConnection> => ({
  name: `client 2.x, ${mode}`,
  era,
  connect: (target, elicit) => connect(target, elicit, mode),
})

export const sdk2 = [peer('legacy', 'legacy'), peer('modern', 'auto')]
