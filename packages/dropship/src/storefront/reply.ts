/** What a page answers with, and its headers: a strict content policy, and how long a browser may keep it. */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export interface Reply {
  readonly status: ContentfulStatusCode
  readonly type: string
  readonly body: string
  /** long: for a day. checked: until it has changed. never: it belongs to one shopper */
  readonly caching: 'long' | 'checked' | 'never'
  readonly headers?: Readonly<Record<string, string>>
  /** other sites whose images the page shows */
  readonly imageOrigins?: readonly string[]
}

/** A request that the storefront rejects; the message is for the shopper. */
export class RequestError extends Error {
  readonly status: 400 | 403 | 404 | 405 | 413 | 415 | 429
  readonly headers: Readonly<Record<string, string>>

  constructor(status: RequestError['status'], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

export const HTML = 'text/html; charset=utf-8'

const CACHE_CONTROL = { long: 'public, max-age=86400', checked: 'private, no-cache', never: 'no-store' }

function contentPolicy(imageOrigins: readonly string[] = []): string {
  const images = ["'self'", ...imageOrigins].join(' ')
  return `default-src 'none'; style-src 'self'; img-src ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

export const respond = (c: Context, { status, type, body, caching, headers, imageOrigins }: Reply): Response =>
  c.body(body, status, {
    'Content-Type': type,
    'Content-Length': String(Buffer.byteLength(body)),
    'Content-Security-Policy': contentPolicy(imageOrigins),
    'X-Content-Type-Options': 'nosniff',
    // With no-referrer a browser would send its own forms with the origin null.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': CACHE_CONTROL[caching],
    Vary: 'Accept-Encoding, Cookie',
    ...headers,
  })

export function redirect(c: Context, to: string): Response {
  c.header('Cache-Control', 'no-store')
  return c.redirect(to, 303)
}
