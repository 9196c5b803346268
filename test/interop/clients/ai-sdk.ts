/** `@ai-sdk/mcp`: tools are called as a model's tools are, through the interface of the `ai` package. Either era. */
import { createMCPClient, ElicitationRequestSchema, type MCPClient } from '@ai-sdk/mcp'
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import type { Target } from '../tapped-server.ts'
import type {
  Block,
  CallResult,
  ClientConnection,
  Contents,
  ElicitHandler,
  Era,
  ForeignClient,
  ListedTool,
} from './peer.ts'

/** By default this client gives a child process one second to start and answer, then takes it for a legacy server. */
class PatientStdio extends StdioMCPTransport {
  readonly waitsForProtocolVersionDiscovery = true
}

export function open(
  target: Target,
  era: Era,
  elicit: ElicitHandler = () => ({ action: 'cancel' }),
): Promise<MCPClient> {
  const opened = createMCPClient({
    clientName: 'ai-sdk',
    capabilities: { elicitation: {} },
    protocolVersionDiscovery: era === 'modern',
    transport:
      target.kind === 'stdio' ? new PatientStdio({ ...target, stderr: 'ignore' }) : { ...target, type: 'http' },
    // It takes no notifications at all, and says so whenever one comes.
    onUncaughtError: () => {},
  })
  return opened.then((client) => {
    client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => ({ ...elicit(params.message) }))
    return client
  })
}

async function connect(target: Target, elicit: ElicitHandler, era: Era): Promise<ClientConnection> {
  const client = await open(target, era, elicit)
  let tools: Awaited<ReturnType<MCPClient['tools']>> | undefined
  return {
    version: client.initializeResult.protocolVersion,
    server: client.serverInfo,
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args, { signal } = {}) => {
      tools ??= await client.tools()
      const options = { toolCallId: name, messages: [], context: {}, ...(signal && { abortSignal: signal }) }
      return (await (tools[name]?.execute(args, options) ?? client.callTool({ name, arguments: args }))) as CallResult
    },
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents as Contents[],
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, args) => {
      const { messages } = await client.getPrompt({ name, ...(args && { arguments: args }) })
      return messages as { role: string; content: Block }[]
    },
    complete: async (ref, name, value, others) => {
      const context = others && { context: { arguments: others } }
      return (await client.complete({ ref, argument: { name, value }, ...context })).completion.values
    },
    close: () => client.close(),
  }
}

export const aiSdk: ForeignClient[] = (['legacy', 'modern'] as const).map((era) => ({
  name: `ai-sdk, ${era}`,
  era,
  connect: (target, elicit) => connect(target, elicit, era),
}))
