/** A port on loopback that answers the redirect of a browser and nothing else, for programs that listen on no other port. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { http } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { pathOf } from '../../transport/http/reply.ts'
import { callbackPages, type FinishLogin } from './callback-pages.ts'

export interface RedirectListener {
  /** http://127.0.0.1:49152 */
  readonly origin: string
  close(): Promise<void>
}

/** `port` 0: any free port. */
export async function listenForRedirect(port: number, finish: FinishLogin): Promise<RedirectListener> {
  const pages = callbackPages(finish)
  const listener = http().createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 10_000 }, (request, response) => {
    const { port: own } = listener.address() as AddressInfo
    // A page of another site that resolves its name to this machine has another host.
    const isOwn = request.headers.host === `127.0.0.1:${own}` || request.headers.host === `localhost:${own}`
    response.setHeader('connection', 'close')
    if (!isOwn || !pages.has(pathOf(request))) response.writeHead(404).end()
    else void pages.serve(request, response)
  })
  listener.listen(port, '127.0.0.1')
  try {
    await once(listener, 'listening')
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    throw ToolError.of(
      'UnavailableError',
      `Port ${port} of 127.0.0.1, which the browser comes back to, cannot be used (${code}).`,
      {
        retry_after_ms: 1000,
      },
    )
  }
  listener.unref()
  return {
    origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async close() {
      if (!listener.listening) return
      listener.close()
      listener.closeIdleConnections()
      await once(listener, 'close')
    },
  }
}
