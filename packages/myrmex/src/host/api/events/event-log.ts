/**
 * The open live streams, and the latest events for readers that reconnect. A reader that is too slow is disconnected, and so is one whose
 * session has ended. A reader that was away too long gets a `reset` and must read everything again.
 */
import { crypto } from '../../../protocol/builtin.ts'
import type { LiveEvent } from './live-event.ts'

const KEPT_EVENTS = 1000
const KEPT_BYTES = 1024 * 1024
/** Maximum backlog of one reader before it is disconnected. */
const WAITING_BYTES = 4 * 1024 * 1024
const HEARTBEAT_MS = 15_000
/** More suggest a program that opens streams in a loop. */
export const MAX_READERS = 100
const RETRY_MS = 1000

interface Kept {
  readonly position: number
  readonly bytes: Uint8Array
}

interface Reader {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  /** checked before each event */
  readonly mayRead: () => boolean
}

const encoder = new TextEncoder()

export class EventLog {
  readonly #readers = new Set<Reader>()
  #recent: Kept[] = []
  #bytes = 0
  #position = 0
  /** replaced whenever events may have been missed: ids of different epochs cannot be compared */
  #epoch = newEpoch()
  #heartbeat: NodeJS.Timeout | undefined
  #closed = false

  get readers(): number {
    return this.#readers.size
  }

  /** called when the last reader has disconnected */
  onLastReaderGone: (() => void) | undefined

  publish({ type, data }: LiveEvent): void {
    const position = ++this.#position
    const bytes = encoder.encode(`id: ${this.#idOf(position)}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
    this.#recent.push({ position, bytes })
    this.#bytes += bytes.length
    while (this.#recent.length > KEPT_EVENTS || this.#bytes > KEPT_BYTES) {
      this.#bytes -= this.#recent.shift()?.bytes.length ?? 0
    }
    for (const reader of this.#readers) this.#deliver(reader, bytes)
  }

  /** All events from now on while `mayRead` returns true, preceded by those after `lastEventId`. */
  stream(lastEventId?: string, mayRead: () => boolean = () => true): ReadableStream<Uint8Array> {
    let reader: Reader | undefined
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          if (this.#closed) return controller.close()
          reader = { controller, mayRead }
          // An id without data: the position of a reader that has seen nothing yet.
          const begin = `retry: ${RETRY_MS}\nid: ${this.#idOf(this.#position)}\n\n`
          const missed = lastEventId === undefined ? [] : this.#since(lastEventId)
          if (missed === undefined) controller.enqueue(encoder.encode(`${begin}event: reset\ndata: ${RESET_DATA}\n\n`))
          else if (missed.length === 0) controller.enqueue(encoder.encode(begin))
          else for (const { bytes } of missed) controller.enqueue(bytes)
          this.#readers.add(reader)
          this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
        },
        cancel: () => {
          if (reader !== undefined) this.#forget(reader)
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES }),
    )
  }

  /** Nothing was watched for a while, so readers that reconnect have missed an unknown number of events. */
  forgetEvents(): void {
    this.#epoch = newEpoch()
    this.#recent = []
    this.#bytes = 0
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#heartbeat)
    for (const reader of [...this.#readers]) this.#disconnect(reader)
  }

  /** Returns undefined if the following events are no longer known. */
  #since(id: string): Kept[] | undefined {
    const [epoch, position] = id.split('.')
    const seen = Number(position)
    if (epoch !== this.#epoch || !Number.isSafeInteger(seen) || seen > this.#position) return undefined
    const missed = this.#recent.filter((one) => one.position > seen)
    return missed.length === this.#position - seen ? missed : undefined
  }

  #deliver(reader: Reader, bytes: Uint8Array): void {
    const { controller, mayRead } = reader
    if ((controller.desiredSize ?? 0) <= 0 || !mayRead()) this.#disconnect(reader)
    else controller.enqueue(bytes)
  }

  #beat(): void {
    for (const reader of this.#readers) this.#deliver(reader, HEARTBEAT)
  }

  #disconnect(reader: Reader): void {
    reader.controller.close()
    this.#forget(reader)
  }

  #forget(reader: Reader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
    this.onLastReaderGone?.()
  }

  #idOf(position: number): string {
    return `${this.#epoch}.${position}`
  }
}

const newEpoch = (): string => crypto.randomBytes(6).toString('hex')

const HEARTBEAT = encoder.encode(':\n\n')
const RESET_DATA = JSON.stringify({
  reason: 'The events after your last one are no longer known. Read everything again.',
})
