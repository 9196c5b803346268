/** Reads a JSON body within a limit. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CODE } from '../../protocol/errors.ts'
import { sendError } from './reply.ts'

/** Calls `use` with the parsed body; whatever is wrong with it is answered here. */
export function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  use: (body: unknown) => void,
): void {
  const type = request.headers['content-type']
  // A page of another site can send text/plain without asking; application/json it cannot.
  if (type === undefined || !/^application\/json\s*(;|$)/i.test(type)) {
    return sendError(response, 415, 'Content-Type must be application/json')
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge(response, limit)
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) {
      request.removeAllListeners('data')
      request.resume()
      tooLarge(response, limit)
    } else chunks.push(chunk)
  })
  request.on('end', () => {
    if (size > limit) return
    const text = chunks.length === 1 ? (chunks[0] as Buffer).toString() : Buffer.concat(chunks).toString()
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return sendError(response, 400, 'Parse error: not JSON', CODE.parse)
    }
    use(body)
  })
}

function tooLarge(response: ServerResponse, limit: number): void {
  response.setHeader('connection', 'close')
  sendError(response, 413, `The body is larger than ${limit} bytes`)
}
