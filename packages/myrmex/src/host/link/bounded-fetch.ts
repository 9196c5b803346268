/** `fetch` with a size limit for each answer and each event of a stream, for untrusted servers. */

const MAX_BYTES = 64 * 1024 * 1024
/** The body of an error response ends up in an error message. */
const MAX_ERROR_BYTES = 64 * 1024
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

const EVENT_ENDS = ['\n\n', '\r\n\r\n', '\r\r'].map((end) => Buffer.from(end))

export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
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

/** The end of the last complete event in this chunk. An event whose end is split between two chunks counts a little longer. */
function lastEnd(chunk: Uint8Array): number {
  const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Math.max(...EVENT_ENDS.map((end) => buffer.lastIndexOf(end)))
}
