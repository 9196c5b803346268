// The official TypeScript SDK, version 2, served the way its documentation shows: `sdk2.js` speaks stdio,
// `sdk2.js --http PORT` HTTP, and `connectInProcess` gives it messages without bytes in between.
import { createServer } from 'node:http'
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { tools } from './tools.js'

function factory() {
  const server = new McpServer({ name: 'sdk2', version: '1.0.0' })
  for (const { name, description, input, output, run } of tools)
    server.registerTool(name, { description, inputSchema: input, outputSchema: output }, run)
  return server
}

/** The server at one end of the SDK's linked pair; raw messages go in and come out at the other. */
export async function connectInProcess() {
  const [client, server] = InMemoryTransport.createLinkedPair()
  const waiting = new Map()
  client.onmessage = (message) => {
    const resolve = waiting.get(message.id)
    waiting.delete(message.id)
    resolve?.(message)
  }
  await client.start()
  await factory().connect(server)
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        waiting.set(message.id, resolve)
        client.send(message).catch(reject)
      }),
    notify: (message) => client.send(message),
  }
}

async function serve(port) {
  if (port === undefined) {
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    serveStdio(factory)
    return
  }
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { toNodeHandler } = await import('@modelcontextprotocol/node')
  createServer(toNodeHandler(createMcpHandler(factory))).listen(port, '127.0.0.1')
}

if (import.meta.main) {
  const http = process.argv.indexOf('--http')
  await serve(http < 0 ? undefined : Number(process.argv[http + 1]))
}
