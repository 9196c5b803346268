/** Reads the body of a form that somebody sent: of the right kind, from this shop's own pages, and not too large. */
import type { IncomingMessage } from 'node:http'

export const MAX_BYTES = 16_384

/** A request the storefront does not serve; the status says why, the message says so to the shopper. */
export class RequestError extends Error {
  readonly status: 400 | 403 | 404 | 405 | 413 | 415 | 429
  readonly retryAfter: number | undefined

  constructor(status: RequestError['status'], message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  refuseOtherSites(request)
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    throw new RequestError(415, 'A form is sent as application/x-www-form-urlencoded.')
  const tooLarge = new RequestError(413, `What was sent has more than ${MAX_BYTES} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw tooLarge
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** Browsers say where a form was sent from. One that was sent from elsewhere is not the shopper's wish. */
function refuseOtherSites(request: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const stranger = new RequestError(403, 'This form was sent from another site. Open the shop itself and try again.')
  if (origin !== undefined) {
    if (!URL.canParse(origin) || new URL(origin).host !== host) throw stranger
  } else if (site !== undefined && site !== 'same-origin' && site !== 'none') throw stranger
}
