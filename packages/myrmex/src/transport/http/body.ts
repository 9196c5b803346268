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
  if (type !== 'application/json' && !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    return sendError(response, 415, 'Content-Type must be application/json')
  }
  const declared = Number(request.headers['content-length'] ?? Number.NaN)
  if (declared > limit) return tooLarge(response, limit)
  let size = 0
  let chunks: Buffer[] | undefined
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) {
      request.removeAllListeners('data')
      request.resume()
      return tooLarge(response, limit)
    }
    // Nearly every body is one chunk of the declared length: it is whole, and need not wait for the stream to say so.
    if (chunks === undefined && size === declared) return parse(chunk, response, use)
    chunks ??= []
    chunks.push(chunk)
    if (size === declared) parse(Buffer.concat(chunks), response, use)
  })
  if (declared > 0) return
  request.on('end', () => {
    if (size <= limit) parse(Buffer.concat(chunks ?? []), response, use)
  })
}

function parse(bytes: Buffer, response: ServerResponse, use: (body: unknown) => void): void {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString())
  } catch {
    return sendError(response, 400, 'Parse error: not JSON', CODE.parse)
  }
  use(body)
}

function tooLarge(response: ServerResponse, limit: number): void {
  response.setHeader('connection', 'close')
  sendError(response, 413, `The body is larger than ${limit} bytes`)
}
