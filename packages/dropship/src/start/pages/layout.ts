/** The layout of the operator's pages: no script, and a content policy that allows none. */

import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { escapeHtml } from 'myrmex/text'

export interface PlainPage {
  readonly title: string
  /** HTML in which all data is escaped */
  readonly body: string
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c1b19, #ecebe7); --quiet: light-dark(#6b675f, #a5a198);
  --line: light-dark(#dedad2, #3a3833); --ground: light-dark(#fbfaf7, #191816); --accent: light-dark(#9a3412, #fdba74); }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 60rem; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem }
a { color: var(--accent) }
p.quiet, .quiet { color: var(--quiet) }
pre, code { font: .9em/1.5 ui-monospace, monospace }
pre { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; overflow-x: auto }
pre.commands { white-space: pre-wrap; overflow-wrap: anywhere }
h1, li, td { overflow-wrap: break-word }
td a, td code { overflow-wrap: anywhere }
.scroll { overflow-x: auto }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: var(--quiet) }
ul.doors { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .8rem; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)) }
ul.doors li { border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem }
ul.doors a { font-weight: 600; text-decoration: none }
figure { margin: 1.2rem 0 }
figcaption { font-weight: 600; margin-bottom: .4rem }
figure img { display: block; width: 100%; height: auto }
`
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sendPage(request: IncomingMessage, response: ServerResponse, status: number, page: PlainPage): void {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(page.title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" type="image/svg+xml" href="/shop/images/mark.svg">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(page.title)}</h1>
${page.body}
</main>
</body>
</html>
`
  send(request, response, status, 'text/html', POLICY, html)
}

export const sendChart = (request: IncomingMessage, response: ServerResponse, svg: string): void =>
  send(request, response, 200, 'image/svg+xml', "default-src 'none'; style-src 'unsafe-inline'", svg)

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  policy: string,
  text: string,
): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(method === 'HEAD' ? undefined : text)
}

/** Every cell is HTML. `isNumber` tells for each column whether it holds numbers. */
export function htmlTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  isNumber: readonly boolean[] = [],
): string {
  const row = (cells: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell, at) => `<${tag}${isNumber[at] ? ' class="number"' : ''}>${cell}</${tag}>`).join('')}</tr>`
  const body = rows.map((cells) => row(cells, 'td')).join('')
  return `<table><thead>${row(heads, 'th')}</thead><tbody>${body}</tbody></table>`
}
