/** One HTTP exchange of Node's as the Request and Response of the web, which hono speaks. Streams go no faster than they are read. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WholeRequest } from '../../transport/http/body.ts'

/** Whatever is answered here is the operator's alone, and for programs: nobody keeps it, no page shows it. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The body within a limit; undefined where it is larger. To be called while the request is being announced. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined)
  return new Promise((resolve) => (request as WholeRequest).collect(limit, resolve))
}

/** Only the path counts: which host was meant has been looked at before. */
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
  if (whole !== undefined || answer.body === null) response.end(whole)
  else await pour(answer.body, response)
}

async function pour(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  // Whoever waits for the next chunk learns that nobody wants it.
  void gone.then(() => reader.cancel())
  response.flushHeaders()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || response.destroyed) break
    if (!response.write(value)) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), gone])
  }
  response.end()
}
