/** Definitions of upstream tools that a ledger knows, as a host leaves them there after the first listing of their servers. */
import { type Ledger, type Tool, tool } from 'myrmex'
import { withUpstreamListing } from '../../packages/myrmex/src/tool/upstream-listing.ts'

export interface SeenTool {
  /** without the name of its server */
  readonly name: string
  readonly description?: string
  /** undefined: the server does not say whether it changes state */
  readonly readOnly?: boolean
  /** what myrmex.json says */
  readonly destructive?: boolean
  readonly input?: object
}

export function upstreamTool(
  server: string,
  { name, description = 'Works.', readOnly, destructive = readOnly !== true, input = {} }: SeenTool,
): Tool {
  const inputSchema = { type: 'object', properties: input }
  const listing = {
    ...{ name, description, inputSchema },
    ...(readOnly !== undefined && { annotations: { readOnlyHint: readOnly } }),
  }
  const made = tool(
    {
      ...{ name: `${server}.${name}`, version: '0.0.0', description, input: inputSchema, output: { type: 'object' } },
      ...{ errors: {}, idempotent: false, destructive, security: 'None.', examples: [] },
      run: () => ({}),
    } as never,
    'upstream',
  )
  return withUpstreamListing(made, listing as never)
}

/** Returns the tools as the host would have registered them. */
export async function seenTools(
  ledger: Ledger,
  servers: Readonly<Record<string, readonly SeenTool[]>>,
): Promise<Tool[]> {
  const tools = Object.entries(servers).flatMap(([server, some]) => some.map((one) => upstreamTool(server, one)))
  await ledger.trust.pinAll(tools)
  return tools
}

/** `count` servers with `tools` tools together, every second one of which changes state. */
export function manyServers(count: number, tools: number): Record<string, SeenTool[]> {
  const names = Array.from({ length: count }, (_, index) => `server_${String.fromCharCode(97 + index)}`)
  const servers: Record<string, SeenTool[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let index = 0; index < tools; index++) {
    const server = names[index % count] as string
    const readOnly = Math.floor(index / count) % 2 === 0
    servers[server]?.push({ name: `${readOnly ? 'get' : 'update'}_thing_${index}`, readOnly })
  }
  return servers
}
