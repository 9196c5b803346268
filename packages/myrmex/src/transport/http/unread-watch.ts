/**
 * Drops clients that do not read what was written to them: those that took nothing for a minute, and if too much waits over all,
 * those that took nothing since the last look, the largest first. The reason is logged. A slow client that reads is left alone.
 */
import type { Socket } from 'node:net'
import { log } from '../../server/log.ts'
import { LOOK_MS, STALLED_LOOKS, sentBytes } from '../unread.ts'

/** What may wait for all clients together. */
const MAX_UNREAD = 128 * 1024 * 1024

interface Watched {
  /** bytes that the system took */
  sent: number
  /** looks at which something waited and nothing was taken */
  stalled: number
}

export class UnreadWatch {
  readonly #sockets = new Map<Socket, Watched>()
  #timer: NodeJS.Timeout | undefined

  add(socket: Socket): void {
    this.#sockets.set(socket, { sent: 0, stalled: 0 })
    socket.once('close', () => this.#sockets.delete(socket))
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    let unread = 0
    const stalled: Socket[] = []
    for (const [socket, watched] of this.#sockets) {
      const sent = sentBytes(socket)
      const isStalled = socket.writableLength > 0 && sent === watched.sent
      watched.stalled = isStalled ? watched.stalled + 1 : 0
      watched.sent = sent
      unread += socket.writableLength
      if (watched.stalled >= STALLED_LOOKS) drop(socket)
      else if (isStalled) stalled.push(socket)
    }
    stalled.sort((one, other) => one.writableLength - other.writableLength)
    for (let socket = stalled.pop(); unread > MAX_UNREAD && socket !== undefined; socket = stalled.pop()) {
      unread -= socket.writableLength
      drop(socket)
    }
  }
}

function drop(socket: Socket): void {
  const unread_bytes = socket.writableLength
  log.warn({ client: socket.remoteAddress, unread_bytes }, 'http: the client does not read; its connection is closed')
  socket.destroy()
}
