/**
 * `fetch` for untrusted servers: with a size limit for each answer and each event of a stream, and without redirects to other origins. The
 * host may reach what a server must not reach through it: services on this machine, and the host's own endpoint.
 */

const MAX_BYTES = 64 * 1024 * 1024
/** The body of an error response ends up in an error message. */
const MAX_ERROR_BYTES = 64 * 1024
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

const EVENT_ENDS = ['\n\n', '\r\n\r\n', '\r\r'].map((end) => Buffer.from(end))

export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchWithinOrigin(new URL(url), init)
  const { body, status, statusText, headers } = response
  if (body === null || WITHOUT_BODY.has(status)) return response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const max = response.ok ? MAX_BYTES : MAX_ERROR_BYTES
  let bytes = 0
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const end = isStream ? lastEnd(chunk) : -1
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end
      if (bytes <= max) controller.enqueue(chunk)
      else controller.error(Object.assign(new Error(`more than ${max} bytes`), { code: 'MESSAGE_TOO_LARGE' }))
    },
  })
  return new Response(body.pipeThrough(stream), { status, statusText, headers })
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 5

async function fetchWithinOrigin(first: URL, init: RequestInit = {}): Promise<Response> {
  let request: RequestInit = { ...init, redirect: 'manual' }
  let url = first
  for (let count = 0; ; count++) {
    const response = await fetch(url, request)
    const location = response.headers.get('location')
    if (!REDIRECTS.has(response.status) || location === null) return response
    await response.body?.cancel()
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined
    if (next === undefined || count >= MAX_REDIRECTS || !isSamePlace(url, next)) {
      const where = next === undefined ? 'an address that is no URL' : next.origin
      throw Object.assign(new Error(`the server redirects to ${where}. If that is its address, set it as url`), {
        code: 'REDIRECTED',
      })
    }
    url = next
    // As browsers do: only 307 and 308 send the body again.
    if (response.status < 307 && request.method === 'POST') request = { ...request, method: 'GET', body: null }
  }
}

const isSamePlace = (from: URL, to: URL): boolean =>
  from.origin === to.origin || (from.origin === `http://${to.hostname}` && to.origin === `https://${to.hostname}`)

/** The end of the last complete event in this chunk. An event whose end is split between two chunks counts a little longer. */
function lastEnd(chunk: Uint8Array): number {
  const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Math.max(...EVENT_ENDS.map((end) => buffer.lastIndexOf(end)))
}
