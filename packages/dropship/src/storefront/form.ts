/** Reads the body of a form that somebody sent: of the right kind, from this shop's own pages, and not too large. */
import type { IncomingMessage } from 'node:http'

export const MOST_BYTES = 16_384

/** A request the storefront does not serve; the status says why, the message says so to the shopper. */
export class Refused extends Error {
  readonly status: 400 | 403 | 404 | 405 | 413 | 415 | 429
  readonly retryAfter: number | undefined

  constructor(status: Refused['status'], message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  refuseStrangers(request)
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refused(415, 'A form is sent as application/x-www-form-urlencoded.')
  const tooLarge = new Refused(413, `What was sent has more than ${MOST_BYTES} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw tooLarge
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** Browsers say where a form was sent from. One that was sent from elsewhere is not the shopper's wish. */
function refuseStrangers(request: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const stranger = new Refused(403, 'This form was sent from another site. Open the shop itself and try again.')
  if (origin !== undefined) {
    if (!URL.canParse(origin) || new URL(origin).host !== host) throw stranger
  } else if (site !== undefined && site !== 'same-origin' && site !== 'none') throw stranger
}
