/** Pages of a few sentences: without scripts, without anything from elsewhere, not cached, not framed, and silent about where they were opened from. */
import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../../protocol/text.ts'

/** A paragraph. `code` is what a person types. */
export type Paragraph = string | { readonly code: string }

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export function sendPlainPage(response: ServerResponse, status: number, paragraphs: readonly Paragraph[]): void {
  response.writeHead(status, HEADERS).end(pageOf(paragraphs))
}

export function refuseMethod(response: ServerResponse, allow: string): void {
  response.writeHead(405, { allow }).end()
}

const pageOf = (paragraphs: readonly Paragraph[]): string =>
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Myrmex</title>' +
  `<body style="font:16px/1.5 sans-serif;max-width:40em;margin:4em auto;padding:0 1em">${paragraphs.map(paragraphHtml).join('')}</body></html>\n`

const paragraphHtml = (paragraph: Paragraph): string =>
  typeof paragraph === 'string' ? `<p>${escapeHtml(paragraph)}</p>` : `<pre>${escapeHtml(paragraph.code)}</pre>`
