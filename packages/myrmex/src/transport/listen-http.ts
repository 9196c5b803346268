/** Listens over HTTP. Its code is loaded on first use: a server on stdio never needs it. */
import type { Server } from '../server/server.ts'
import type { HttpListener, HttpOptions } from './http/listen.ts'

export async function listenHttp(server: Server, options?: HttpOptions): Promise<HttpListener> {
  const { listen } = await import('./http/listen.ts')
  return listen(server, options)
}
