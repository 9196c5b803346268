/** `fetch` from a server that nobody trusts: an answer, or one event of a stream, may be only so large. */

const MOST_BYTES = 64 * 1024 * 1024
/** What is said with a refusal ends up in an error message. */
const MOST_REFUSAL_BYTES = 64 * 1024
/** Statuses that have no body at all. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304])

const EVENT_ENDS = ['\n\n', '\r\n\r\n', '\r\r'].map((end) => Buffer.from(end))

export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const { body, status, statusText, headers } = response
  if (body === null || EMPTY.has(status)) return response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const bound = new Bound(response.ok ? MOST_BYTES : MOST_REFUSAL_BYTES, isStream)
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (bound.allows(chunk)) controller.enqueue(chunk)
      else controller.error(Object.assign(new Error(`more than ${bound.most} bytes`), { code: 'MESSAGE_TOO_LARGE' }))
    },
  })
  return new Response(body.pipeThrough(stream), { status, statusText, headers })
}

class Bound {
  readonly most: number
  readonly #isStream: boolean
  #bytes = 0

  constructor(most: number, isStream: boolean) {
    this.most = most
    this.#isStream = isStream
  }

  allows(chunk: Uint8Array): boolean {
    const end = this.#isStream ? lastEnd(chunk) : -1
    this.#bytes = end === -1 ? this.#bytes + chunk.length : chunk.length - end
    return this.#bytes <= this.most
  }
}

/** Where the last event that is whole in this chunk ends. One whose end is cut in two only counts for a little longer. */
function lastEnd(chunk: Uint8Array): number {
  const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Math.max(...EVENT_ENDS.map((end) => buffer.lastIndexOf(end)))
}
