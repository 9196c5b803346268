// The answer of the bare servers to one request: the same shape on the wire as everybody's, made without any engine.

export type Call = {
  id?: number | string
  method: string
  params?: { name?: string; arguments?: { a: number; b: number; text: string }; _meta?: object }
}

const serverInfo = { name: 'bare', version: '1.0.0' }
const tools = [
  { name: 'add', inputSchema: { type: 'object' } },
  { name: 'echo', inputSchema: { type: 'object' } },
]

export function answerTo(call: Call): object {
  return { jsonrpc: '2.0', id: call.id, result: resultOf(call) }
}

function resultOf({ method, params }: Call): object {
  if (method === 'tools/call' && params?.arguments) {
    const { a, b, text } = params.arguments
    const data = params.name === 'add' ? { sum: a + b } : { text }
    const content = [{ type: 'text', text: JSON.stringify(data) }]
    // The modern era names the kind of every result.
    if (params._meta) return { resultType: 'complete', content, structuredContent: data }
    return { content, structuredContent: data }
  }
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  if (method === 'tools/list') return { tools }
  throw new Error(`the bare server has no ${method}`)
}
