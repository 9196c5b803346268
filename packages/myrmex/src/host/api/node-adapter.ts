/** Converts between Node's HTTP messages and the web's Request and Response, which hono uses. Streams respect backpressure. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { WholeRequest } from '../../transport/http/body.ts'

/** Responses are for programs of the operator only: not cached, not shown in a page. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Returns undefined if the body exceeds the limit. Call it synchronously while the request is announced. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined)
  return new Promise((resolve) => (request as WholeRequest).collect(limit, resolve))
}

/** Only the path matters: Host was checked before. */
export function toWebRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer | undefined,
): Request {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) given.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: given,
    ...(body !== undefined && { body: new Uint8Array(body) }),
  })
}

export async function sendWebResponse(response: ServerResponse, answer: Response): Promise<void> {
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  const whole = isStream ? undefined : Buffer.from(await answer.arrayBuffer())
  if (response.destroyed) {
    await answer.body?.cancel()
    return
  }
  response.writeHead(answer.status, {
    ...HEADERS,
    ...Object.fromEntries(answer.headers),
    ...(whole !== undefined && { 'content-length': whole.length }),
  })
  if (whole !== undefined || answer.body === null) return void response.end(whole)
  response.flushHeaders()
  try {
    await pipeline(answer.body, response)
  } catch (error) {
    // The client disconnected, which also cancels the stream.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
