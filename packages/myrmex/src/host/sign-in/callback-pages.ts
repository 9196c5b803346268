/**
 * The page that the browser comes back to after a sign-in. It needs no token: the `state` in the address is the proof, good for one
 * answer. It has no script, shows nothing that was sent to it as HTML, and tells other pages nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ToolError } from '../../protocol/errors.ts'
import type { Pages } from '../../transport/http/pages.ts'
import { pathOf, queryOf } from '../../transport/http/reply.ts'
import { refuseMethod, sendPlainPage } from '../pages/plain-page.ts'

/** Clients that the operator did not configure have an address for each server, so that no issuer can send the answer of another one. */
export const CALLBACK_PATH = '/oauth/callback'

export type FinishLogin = (params: URLSearchParams, path: string) => Promise<{ readonly server: string }>

export const callbackPages = (finish: FinishLogin): Pages => ({
  has: (path) => path === CALLBACK_PATH || path.startsWith(`${CALLBACK_PATH}/`),
  serve: (request, response) => serveCallback(request, response, finish),
})

/** What issuers read about this client. `documentOf` a path is undefined if there is none; see client-document.ts. */
export const documentPages = (documentOf: (path: string) => object | undefined): Pages => ({
  has: (path) => documentOf(path) !== undefined,
  async serve(request, response) {
    const document = documentOf(new URL(request.url ?? '/', 'http://localhost').pathname)
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    }
    response.writeHead(200, headers).end(JSON.stringify(document))
  },
})

async function serveCallback(request: IncomingMessage, response: ServerResponse, finish: FinishLogin): Promise<void> {
  if (request.method !== 'GET') return refuseMethod(response, 'GET')
  let status = 200
  let text: string
  try {
    const { server } = await finish(queryOf(request), pathOf(request))
    text = `Signed in to ${server}. You can close this window.`
  } catch (thrown) {
    status = thrown instanceof ToolError ? 400 : 500
    text = `${thrown instanceof ToolError ? thrown.message : 'The sign-in failed. The log of the host has the cause.'} Nothing was changed.`
  }
  sendPlainPage(response, status, [text])
}
