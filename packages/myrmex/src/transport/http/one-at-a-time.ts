/**
 * Serves the requests of a connection one at a time. Node hands over all requests that a client sends without waiting (pipelining), and
 * keeps the answers behind the first one in memory. Here the next request is served when the system has taken the answer of the last
 * one. A client that waits for each answer, as all common ones do, costs one comparison.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { http } from '../../protocol/builtin.ts'
import { log } from '../../server/log.ts'
import { COUNTED_BYTES, type UnreadWatch } from './unread-watch.ts'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of one connection that wait, and the bytes of their bodies. */
const MAX_WAITING = 16
const MAX_WAITING_BYTES = 128 * 1024

export function oneAtATime(unread: UnreadWatch, serve: Serve): Serve {
  const waiting = new WeakMap<Socket, Set<IncomingMessage>>()

  const serveUnlessFull: Serve = (request, response) => {
    const { socket } = request
    if (!unread.mustWait(socket)) return serve(request, response)
    unread.wait(socket, () => serve(request, response))
  }

  const enqueue: Serve = (request, response) => {
    const { socket } = request
    let requests = waiting.get(socket)
    if (requests === undefined) {
      requests = new Set()
      waiting.set(socket, requests)
    }
    requests.add(request)
    let bytes = 0
    for (const { readableLength } of requests) bytes += readableLength
    if (requests.size > MAX_WAITING || bytes > MAX_WAITING_BYTES) return drop(socket)
    // Emitted when the answer before it is with the system.
    response.once('socket', () => {
      requests.delete(request)
      if (!socket.destroyed) serveUnlessFull(request, response)
    })
  }

  return (request, response) =>
    response.socket === null ? enqueue(request, response) : serveUnlessFull(request, response)
}

function drop(socket: Socket): void {
  if (socket.destroyed) return
  const message = 'http: the client sends too many requests without waiting for answers; its connection is closed'
  log.warn({ client: socket.remoteAddress }, message)
  socket.destroy()
}

/** The response class for `http.createServer`: it notes connections whose clients are behind. */
export function watchedResponses(unread: UnreadWatch): typeof ServerResponse {
  const WatchedResponse = class extends http().ServerResponse {
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of Node
    override end(...args: any[]): this {
      const { socket } = this
      super.end(...args)
      if (socket !== null && socket.writableLength > COUNTED_BYTES) unread.note(socket)
      return this
    }
  }
  // A class that is made in a function cannot have the type parameter of Node's.
  return WatchedResponse as typeof ServerResponse
}
