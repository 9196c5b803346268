/** A receiver of webhooks, written as others would: it keeps what is posted, and answers as the test wants. It closes with the test. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'

export interface ReceivedPost {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

export interface WebhookReceiver {
  /** with a path that is a secret, as those of chats are */
  readonly url: string
  readonly received: readonly ReceivedPost[]
  /** Answers from now on with this status and header. `hang`: it never answers. */
  answer(status: number | 'hang', headers?: Record<string, string>): void
  /** Waits until so many have come, and returns the last. */
  arrived(count: number): Promise<ReceivedPost>
}

export const SECRET_PATH = '/hook/T0SECRET/B0SECRET'

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedPost[] = []
  let reply: { status: number | 'hang'; headers: Record<string, string> } = { status: 204, headers: {} }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    received.push({ method, path: url, headers: headers as Record<string, string>, body })
    if (reply.status !== 'hang') response.writeHead(reply.status, reply.headers).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${SECRET_PATH}`,
    received,
    answer: (status, headers = {}) => {
      reply = { status, headers }
    },
    arrived: (count) =>
      vi.waitFor(
        () => {
          expect(received.length).toBeGreaterThanOrEqual(count)
          return received[count - 1] as ReceivedPost
        },
        { timeout: 20_000, interval: 20 },
      ),
  }
}
