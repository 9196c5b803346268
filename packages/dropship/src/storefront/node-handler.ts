/** Connects a hono app to Node's HTTP server. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** Returns false, and has answered nothing, if the path does not belong to the app. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export const nodeHandler =
  (
    isOwn: (path: string) => boolean,
    fetch: (request: Request, bindings: { incoming: IncomingMessage }) => Response | Promise<Response>,
  ): Handler =>
  async (incoming, response) => {
    const url = urlOf(incoming)
    if (url === undefined || !isOwn(url.pathname)) return false
    const answer = await fetch(toRequest(url, incoming), { incoming })
    // A body that was not read would be taken for the next request.
    if (!incoming.complete) response.setHeader('Connection', 'close')
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) response.end()
    else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => response.destroy())
    return true
  }

/** Undefined: it is no URL. A Host header that does not look like one is ignored. */
function urlOf({ url = '/', headers }: IncomingMessage): URL | undefined {
  const host = /^[\w.:[\]-]+$/.test(headers.host ?? '') ? headers.host : 'localhost'
  return URL.parse(url, `http://${host}`) ?? undefined
}

function toRequest(url: URL, incoming: IncomingMessage): Request {
  const { method = 'GET' } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const body = method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(incoming) as globalThis.ReadableStream)
  return new Request(url, { method, headers, body, duplex: 'half' })
}
