/**
 * Forms of the issuer's pages. A form counts only if a page of this host sent it: its origin is ours, and it has the value that was made for
 * this page and this browser.
 */
import type { IncomingMessage } from 'node:http'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { readBody } from '../api/node-adapter.ts'
import { type Html, html } from './page.ts'

const MAX_BYTES = 32 * 1024

/** Throws if it is not a form of our own page. Call it synchronously while the request is announced. */
export async function readForm(request: IncomingMessage, origin: string): Promise<URLSearchParams> {
  const { headers } = request
  const reading = readBody(request, MAX_BYTES)
  const isOwn = headers.origin === origin && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'
  if (!isOwn) throw ToolError.of('PermissionError', 'This form was not sent by a page of this host.')
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw ToolError.of('ValidationError', 'A form was expected.')
  const body = await reading
  if (body === undefined) throw ToolError.of('ValidationError', 'The form is too long.')
  return new URLSearchParams(body.toString('utf8'))
}

export class FormGuard {
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  /** `page` and `browser` say where the form belongs. */
  field(page: string, browser: string): Html {
    return html`<input type="hidden" name="form" value="${this.value(page, browser)}">`
  }

  /** Throws PermissionError. */
  check(form: URLSearchParams, page: string, browser: string): void {
    const [given, wanted] = [Buffer.from(form.get('form') ?? ''), Buffer.from(this.value(page, browser))]
    if (given.length === wanted.length && crypto.timingSafeEqual(given, wanted)) return
    throw ToolError.of('PermissionError', 'This form is out of date. Go back, load the page again, and try again.')
  }

  /** Also what an authenticator signs for this page. */
  value(page: string, browser: string): string {
    return crypto
      .createHmac('sha256', this.#key)
      .update(JSON.stringify([page, browser]))
      .digest('base64url')
  }
}

/** The value of a cookie that the issuer set in this browser. */
export function cookieOf({ headers }: IncomingMessage, name: string): string {
  const pair = (headers.cookie ?? '').split(/;\s*/).find((one) => one.startsWith(`${name}=`))
  return pair?.slice(name.length + 1) ?? ''
}
