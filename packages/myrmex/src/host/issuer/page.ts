/**
 * The pages of the issuer: plain HTML that works without scripts, with a content policy that allows nothing from elsewhere and no inline
 * code, and that no other page can frame. Every text of others goes through `html`, which escapes it.
 */
import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../../protocol/text.ts'

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | false | readonly Part[]

function rendered(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  return Array.isArray(part) ? part.map(rendered).join('') : escapeHtml(String(part))
}

export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.map((text, index) => text + rendered(parts[index])).join(''))

export interface PageContent {
  readonly title: string
  /** what the host is called */
  readonly host: string
  readonly body: Html
  /** one of our scripts */
  readonly script?: string | undefined
}

export const STYLE_PATH = '/sign-in/style.css'

export function pageHtml({ title, host, body, script }: PageContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${escapeHtml(host)}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
${script === undefined ? '' : `<script src="${escapeHtml(script)}" defer></script>\n`}</head>
<body>
<main>
<p class="host"><span class="mark" aria-hidden="true"></span>${escapeHtml(host)}</p>
<h1>${escapeHtml(title)}</h1>
${body.text}
</main>
</body>
</html>
`
}

/** A browser also applies `form-action` to where a form is redirected, so it names where the client is. */
export function securityHeaders(formTarget = ''): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy':
      `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'none'; base-uri 'none'; frame-ancestors 'none'; ` +
      `form-action 'self'${formTarget === '' ? '' : ` ${formTarget}`}`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
    // Not no-referrer: a browser would then send forms with the origin null.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** The source for `form-action` of a redirect URI: its origin, or the scheme of a desktop application. */
export function formTargetOf(redirect: unknown): string {
  const url = typeof redirect === 'string' ? URL.parse(redirect) : null
  if (url === null) return ''
  const source = url.origin === 'null' ? url.protocol : url.origin
  return /^[\w.:/[\]+-]+$/.test(source) ? source : ''
}

export function sendPage(response: ServerResponse, status: number, text: string, formTarget = ''): void {
  response.writeHead(status, {
    ...securityHeaders(formTarget),
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

export function sendText(response: ServerResponse, type: string, text: string): void {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(text) }
  response.writeHead(200, { ...securityHeaders(), ...headers, 'cache-control': 'max-age=3600' })
  response.end(text)
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...securityHeaders(), location, 'content-length': 0 })
  response.end()
}
