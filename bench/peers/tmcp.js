// tmcp, served the way its documentation shows: `tmcp.js` speaks stdio, `tmcp.js --http PORT` HTTP (its handler
// takes a web Request; of the bridges to node:http, @hono/node-server and srvx were the fastest, and equal), `connectInProcess` takes messages.
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { McpServer } from 'tmcp'
import { tools } from './tools.js'

function build() {
  const server = new McpServer(
    { name: 'tmcp', version: '1.0.0', description: 'The benchmark tools.' },
    { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
  )
  for (const { name, description, input, output, run } of tools)
    server.tool({ name, description, schema: input, outputSchema: output }, run)
  return server
}

/** tmcp's own message door: `receive` takes a message and promises the answer. */
export async function connectInProcess() {
  const server = build()
  const context = { sessionInfo: {} }
  server.on('initialize', ({ capabilities, clientInfo }) => {
    context.sessionInfo = { clientCapabilities: capabilities, clientInfo }
  })
  return {
    send: (message) => server.receive(message, context),
    notify: (message) => server.receive(message, context),
  }
}

async function serve(port) {
  if (port === undefined) {
    const { StdioTransport } = await import('@tmcp/transport-stdio')
    new StdioTransport(build()).listen()
    return
  }
  const { HttpTransport } = await import('@tmcp/transport-http')
  const transport = new HttpTransport(build(), { path: '/mcp' })
  const fetch = async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 })
  const { serve: listen } = await import('@hono/node-server')
  listen({ fetch, port, hostname: '127.0.0.1' })
}

if (import.meta.main) {
  const http = process.argv.indexOf('--http')
  await serve(http < 0 ? undefined : Number(process.argv[http + 1]))
}
