// The floor of the gateways: an endpoint on the port it is given that answers `echo` as server-everything does, with no server behind it
// and just enough MCP for an official client. The rest of a gateway's time is its own, its server's and that of the pipe between them.
import { createServer } from 'node:http'
import process from 'node:process'

interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly arguments?: { readonly message?: string }; readonly protocolVersion?: string }
}

const tool = {
  name: 'echo',
  description: 'Gives a text back.',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}

function resultOf({ method, params }: Message): object {
  if (method === 'tools/call') return { content: [{ type: 'text', text: `Echo: ${params?.arguments?.message}` }] }
  if (method === 'tools/list') return { tools: [tool] }
  if (method === 'initialize')
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'bare', version: '1.0.0' },
    }
  throw new Error(`the bare endpoint has no ${method}`)
}

createServer((request, response) => {
  // A client asks for a stream of notifications; there are none.
  if (request.method !== 'POST') {
    response.writeHead(405).end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const message: Message = JSON.parse(Buffer.concat(chunks).toString())
    if (message.id === undefined) {
      response.writeHead(202).end()
      return
    }
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
