/**
 * Bounds what clients have not read of their answers:
 *
 * - A client that took nothing for a minute is dropped.
 * - If an address, or all together, have more unread than they may, their further requests wait. Connections that take nothing
 *   meanwhile are dropped, the largest of the largest address first, until the rest is small enough.
 * - If requests that were already being served add twice as much, connections are dropped at once.
 *
 * Each reason is logged. A slow client that reads is left alone. Only answers that the system did not take at once are counted, so a
 * client that reads costs nothing here.
 */
import type { Socket } from 'node:net'
import { log } from '../../server/log.ts'
import { LOOK_MS, STALLED_LOOKS, sentBytes } from '../unread.ts'

const MEGABYTE = 1024 * 1024
/** What may wait for all clients together. */
const MAX_UNREAD = 128 * MEGABYTE
/** What may wait for the connections of one address. */
const MAX_UNREAD_OF_ADDRESS = 64 * MEGABYTE
/** A connection with more unread bytes is counted. As many as there may be connections have less than the limit with fewer. */
export const COUNTED_BYTES: number = 64 * 1024
/** How often connections are looked at while requests wait for them. */
const BUSY_LOOK_MS = 250

interface Watched {
  /** bytes that the system took */
  sent: number
  /** looks at which something waited and nothing was taken */
  stalled: number
}

interface WaitingRequest {
  readonly socket: Socket
  readonly serve: () => void
}

export class UnreadWatch {
  readonly #sockets = new Map<Socket, Watched>()
  /** connections with unread answers, and what the system had taken of them at the last look */
  readonly #behind = new Map<Socket, number>()
  /** addresses whose requests wait */
  readonly #full = new Set<string>()
  #isFull = false
  #waiting: WaitingRequest[] = []
  #timer: NodeJS.Timeout | undefined
  #busyTimer: NodeJS.Timeout | undefined

  add(socket: Socket): void {
    this.#sockets.set(socket, { sent: 0, stalled: 0 })
    socket.once('close', () => {
      this.#sockets.delete(socket)
      if (this.#behind.delete(socket)) this.#weigh()
    })
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    clearInterval(this.#busyTimer)
    this.#full.clear()
    this.#isFull = false
    this.#serveWaiting()
  }

  /** An answer was written to it, of which more than `COUNTED_BYTES` wait. */
  note(socket: Socket): void {
    if (!this.#behind.has(socket)) this.#behind.set(socket, sentBytes(socket))
    this.#weigh()
  }

  /** Whether a request of this connection must wait until less is unread. */
  mustWait(socket: Socket): boolean {
    return this.#busyTimer !== undefined && (this.#isFull || this.#full.has(addressOf(socket)))
  }

  /** `serve` is called when the request need not wait any more. */
  wait(socket: Socket, serve: () => void): void {
    this.#waiting.push({ socket, serve })
  }

  /** Decides whose requests wait. */
  #weigh(): void {
    const { total, byAddress } = this.#unread()
    this.#isFull = total > MAX_UNREAD
    this.#full.clear()
    for (const [address, unread] of byAddress) if (unread > MAX_UNREAD_OF_ADDRESS) this.#full.add(address)
    if (total > 2 * MAX_UNREAD) this.#shed(() => true, 2)
    if (this.#isFull || this.#full.size > 0) {
      this.#busyTimer ??= setInterval(() => this.#busyLook(), BUSY_LOOK_MS).unref()
    } else if (this.#busyTimer !== undefined) {
      clearInterval(this.#busyTimer)
      this.#busyTimer = undefined
      this.#serveWaiting()
    }
  }

  #unread(): { total: number; byAddress: Map<string, number> } {
    let total = 0
    const byAddress = new Map<string, number>()
    for (const socket of this.#behind.keys()) {
      const { writableLength } = socket
      if (writableLength === 0 || socket.destroyed) {
        this.#behind.delete(socket)
        continue
      }
      const address = addressOf(socket)
      total += writableLength
      byAddress.set(address, (byAddress.get(address) ?? 0) + writableLength)
    }
    return { total, byAddress }
  }

  #busyLook(): void {
    const stalled = new Set<Socket>()
    for (const [socket, before] of this.#behind) {
      const sent = sentBytes(socket)
      if (sent === before) stalled.add(socket)
      this.#behind.set(socket, sent)
    }
    this.#shed((socket) => stalled.has(socket), 1)
    this.#weigh()
    this.#serveWaiting()
  }

  /** Drops connections until no more than `times` the limits is unread: those of the largest address first, of these the largest. */
  #shed(mayDrop: (socket: Socket) => boolean, times: number): void {
    const { total, byAddress } = this.#unread()
    const candidates = [...this.#behind.keys()]
      .filter(mayDrop)
      .map((socket) => ({ socket, address: addressOf(socket), unread: socket.writableLength }))
    const sumOf = (address: string): number => byAddress.get(address) ?? 0
    candidates.sort((one, other) => sumOf(other.address) - sumOf(one.address) || other.unread - one.unread)
    let left = total
    for (const { socket, address, unread } of candidates) {
      if (left <= times * MAX_UNREAD && sumOf(address) <= times * MAX_UNREAD_OF_ADDRESS) continue
      left -= unread
      byAddress.set(address, sumOf(address) - unread)
      this.#behind.delete(socket)
      drop(socket)
    }
  }

  #serveWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const request of waiting) {
      if (request.socket.destroyed) continue
      // What was just served may have filled it again.
      if (this.mustWait(request.socket)) this.#waiting.push(request)
      else request.serve()
    }
  }

  #look(): void {
    for (const [socket, watched] of this.#sockets) {
      const sent = sentBytes(socket)
      const isStalled = socket.writableLength > 0 && sent === watched.sent
      watched.stalled = isStalled ? watched.stalled + 1 : 0
      watched.sent = sent
      if (watched.stalled >= STALLED_LOOKS) drop(socket)
      // Streams are written piece by piece and are noted here only.
      else if (socket.writableLength > COUNTED_BYTES && !this.#behind.has(socket)) this.note(socket)
    }
  }
}

/** A client with one IPv6 address usually has its whole network. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress.includes('.') || !remoteAddress.includes(':')
    ? remoteAddress
    : remoteAddress.split(':', 4).join(':')
}

function drop(socket: Socket): void {
  const unread_bytes = socket.writableLength
  log.warn({ client: socket.remoteAddress, unread_bytes }, 'http: the client does not read; its connection is closed')
  socket.destroy()
}
