/**
 * Writes messages to a byte stream, one per line. Messages of one turn are written together, up to a size. While the reader is behind,
 * only the latest of each kind of notification is kept. A reader that takes nothing for a minute, or for a few seconds while much waits
 * for it, is given up with a reason in the log.
 */
import type { Writable } from 'node:stream'
import type { Message } from '../protocol/jsonrpc.ts'
import { log } from '../server/log.ts'
import { encode, knownLength } from '../server/results/encode.ts'
import { HeldNotifications, isNotification, MAX_UNREAD_BYTES, SLOW_BYTES } from './held-notifications.ts'
import { LOOK_MS, STALLED_LOOKS, sentBytes } from './unread.ts'

/** Node encodes shorter strings on the stack. Longer ones are faster as a buffer. */
const SHORT_STRING = 16_384
/** Messages that are written together. */
const GATHERED_MESSAGES = 1000
const GATHERED_LENGTH = 1024 * 1024
/** With this many looks and more than MAX_UNREAD_BYTES unread, a reader is given up. */
const STALLED_LOOKS_IF_LARGE = 5

export interface MessageWriterEvents {
  /** the reader is behind: take no more requests from it */
  onBehind(): void
  onCaughtUp(): void
  /** the reader does not read: the stream was destroyed */
  onUnread(): void
}

export class MessageWriter {
  readonly #output: Writable
  readonly #on: MessageWriterEvents
  readonly #held = new HeldNotifications()
  #pending: (Message | Message[])[] = []
  #pendingLength = 0
  #isScheduled = false
  #isBehind = false
  #looks: NodeJS.Timeout | undefined

  constructor(output: Writable, on: MessageWriterEvents) {
    this.#output = output
    this.#on = on
  }

  /** The reader has not taken what was written: `onCaughtUp` follows. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** So far that answering more requests would only fill the memory. */
  get isFarBehind(): boolean {
    return this.#isBehind && this.#output.writableLength > SLOW_BYTES
  }

  /** `isGathering`: more follows in this turn, and then `flush`. */
  send(message: Message | Message[], isGathering: boolean): void {
    if (this.isFarBehind && !Array.isArray(message) && isNotification(message)) return this.#held.hold(message)
    // Progress must not come after its result.
    if (!this.#held.isEmpty) this.#pending.push(...this.#held.take())
    this.#pending.push(message)
    this.#pendingLength += knownLength(message)
    if (this.#pending.length >= GATHERED_MESSAGES || this.#pendingLength > GATHERED_LENGTH) return this.flush()
    if (this.#isScheduled || isGathering) return
    this.#isScheduled = true
    setImmediate(() => this.flush())
  }

  flush(): void {
    this.#isScheduled = false
    if (this.#pending.length === 0) return
    const messages = this.#pending
    this.#pending = []
    this.#pendingLength = 0
    // Writing the first answer commits its whole group: the calls of one chunk are one group.
    let text = ''
    for (const message of messages) {
      text += `${encode(message)}\n`
      if (text.length <= GATHERED_LENGTH) continue
      this.#write(text)
      text = ''
    }
    if (text !== '') this.#write(text)
  }

  #write(text: string): void {
    if (this.#output.destroyed) return
    if (this.#output.write(text.length < SHORT_STRING ? text : Buffer.from(text)) || this.#isBehind) return
    this.#isBehind = true
    this.#on.onBehind()
    this.#output.once('drain', () => this.#caughtUp())
    this.#watch()
  }

  #caughtUp(): void {
    this.#isBehind = false
    clearInterval(this.#looks)
    if (!this.#held.isEmpty) {
      this.#pending.push(...this.#held.take())
      this.flush()
    }
    if (!this.#isBehind) this.#on.onCaughtUp()
  }

  #watch(): void {
    let sent = sentBytes(this.#output)
    let stalled = 0
    this.#looks = setInterval(() => {
      const now = sentBytes(this.#output)
      stalled = now === sent ? stalled + 1 : 0
      sent = now
      const unread = this.#output.writableLength
      const most = unread > MAX_UNREAD_BYTES ? STALLED_LOOKS_IF_LARGE : STALLED_LOOKS
      if (stalled >= most) this.#giveUp(unread)
    }, LOOK_MS).unref()
  }

  #giveUp(unread_bytes: number): void {
    clearInterval(this.#looks)
    log.warn({ unread_bytes }, 'stdio: the client does not read; the connection is closed')
    this.#output.destroy()
    this.#on.onUnread()
  }
}
