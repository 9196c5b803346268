/**
 * The page that the browser comes back to after a sign-in. It needs no token: the `state` in the address is the proof, good for one
 * answer. It has no script, shows nothing that was sent to it as HTML, and tells other pages nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ToolError } from '../../protocol/errors.ts'
import type { Pages } from '../../transport/http/pages.ts'

/** Logins of registered clients have an address for each server, so that no issuer can send the answer of another one. */
export const CALLBACK_PATH = '/oauth/callback'

export type FinishLogin = (params: URLSearchParams, path: string) => Promise<{ readonly server: string }>

export const callbackPages = (finish: FinishLogin): Pages => ({
  has: (path) => path === CALLBACK_PATH || path.startsWith(`${CALLBACK_PATH}/`),
  serve: (request, response) => serveCallback(request, response, finish),
})

/** What issuers read about this client; see client-document.ts. */
export const documentPages = (path: string, document: object): Pages => ({
  has: (asked) => asked === path,
  async serve(_request, response) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300', ...NO_SNIFF }
    response.writeHead(200, headers).end(JSON.stringify(document))
  },
})

/** Both on one port. The first one that has a path answers. */
export const joinedPages = (first: Pages, second: Pages): Pages => ({
  has: (path) => first.has(path) || second.has(path),
  serve: (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    return (first.has(pathname) ? first : second).serve(request, response)
  },
})

async function serveCallback(request: IncomingMessage, response: ServerResponse, finish: FinishLogin): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (request.method !== 'GET') {
    response.writeHead(405, { allow: 'GET' }).end()
    return
  }
  let status = 200
  let text: string
  try {
    const { server } = await finish(url.searchParams, url.pathname)
    text = `Signed in to ${server}. You can close this window.`
  } catch (thrown) {
    status = thrown instanceof ToolError ? 400 : 500
    text = `${thrown instanceof ToolError ? thrown.message : 'The sign-in failed.'} Nothing was changed.`
  }
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      ...NO_SNIFF,
    })
    .end(page(text))
}

const NO_SNIFF = { 'x-content-type-options': 'nosniff' }

const page = (text: string): string =>
  `<!doctype html><html lang="en"><title>Myrmex</title><body style="font:16px sans-serif;margin:4em"><p>${escaped(text)}</p></body></html>\n`

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
