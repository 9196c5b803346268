/**
 * Sends what the storefront answers: with the headers every answer has, as a 304 where the browser holds it already, without a
 * body for HEAD, and compressed where that pays and gives nothing away.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** A body that may be sent many times: hashed and compressed once. */
export class Body {
  readonly bytes: Buffer
  readonly etag: string
  #gzipped: Buffer | undefined

  constructor(text: string) {
    this.bytes = Buffer.from(text)
    this.etag = `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`
  }

  get gzipped(): Buffer {
    this.#gzipped ??= gzipSync(this.bytes)
    return this.#gzipped
  }
}

export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: Body
  /** how long whoever asked may keep it: for good, until it changed, or not at all because it is theirs alone */
  readonly caching: 'long' | 'checked' | 'never'
  readonly headers?: Readonly<Record<string, string>>
  /** other sites whose images the page shows */
  readonly imageOrigins?: readonly string[]
}

export const HTML = 'text/html; charset=utf-8'

const KEEP = { long: 'public, max-age=86400', checked: 'private, no-cache', never: 'no-store' }

/** Smaller ones do not get smaller. */
const WORTH_COMPRESSING = 1024

function policyOf(imagesFrom: readonly string[] = []): string {
  const images = ["'self'", ...imagesFrom].join(' ')
  return `default-src 'none'; style-src 'self'; img-src ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { status, type, body, caching } = reply
  const headers: Record<string, string | number> = {
    'Content-Type': type,
    'Content-Security-Policy': policyOf(reply.imageOrigins),
    'X-Content-Type-Options': 'nosniff',
    // With no-referrer a browser would send its own forms with the origin null.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': KEEP[caching],
    Vary: 'Accept-Encoding, Cookie',
    ...reply.headers,
  }
  if (status === 200 && caching !== 'never') {
    headers.ETag = body.etag
    if (holds(request, body.etag)) {
      response.writeHead(304, headers).end()
      return
    }
  }
  // What is theirs alone holds tokens, and the length of a compressed token can be guessed at.
  const compress = caching !== 'never' && body.bytes.length >= WORTH_COMPRESSING && takesGzip(request)
  const bytes = compress ? body.gzipped : body.bytes
  if (compress) headers['Content-Encoding'] = 'gzip'
  headers['Content-Length'] = bytes.length
  response.writeHead(status, headers)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

export function redirect(response: ServerResponse, to: string, cookie?: string): void {
  response.writeHead(303, {
    Location: to,
    'Cache-Control': 'no-store',
    'Content-Length': 0,
    ...(cookie !== undefined && { 'Set-Cookie': cookie }),
  })
  response.end()
}

const holds = (request: IncomingMessage, etag: string): boolean =>
  (request.headers['if-none-match'] ?? '').split(',').some((one) => one.trim() === etag || one.trim() === '*')

const takesGzip = (request: IncomingMessage): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(request.headers['accept-encoding'] ?? ''))
