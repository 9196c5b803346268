/**
 * The live streams, and the newest events for those who come back. Bounded: a reader that is too slow is let go, and one that was
 * away for too long is told to read everything anew.
 */
import { crypto } from '../../../protocol/builtin.ts'
import type { LiveEvent } from './live-event.ts'

const KEPT_EVENTS = 1000
const KEPT_BYTES = 1024 * 1024
/** What may wait for one reader before it is let go; it may come back. */
const WAITING_BYTES = 4 * 1024 * 1024
const HEARTBEAT_MS = 15_000
/** Nobody needs as many; a program that opens them in a loop does. */
export const MAX_READERS = 100
const RETRY_MS = 1000

interface Kept {
  readonly place: number
  readonly bytes: Uint8Array
}

type Reader = ReadableStreamDefaultController<Uint8Array>

const encoder = new TextEncoder()

export class EventLog {
  readonly #readers = new Set<Reader>()
  readonly #listeners = new Set<() => void>()
  #kept: Kept[] = []
  #bytes = 0
  #place = 0
  /** another one whenever events may have been missed: places of different ages cannot be compared */
  #age = newAge()
  #heartbeat: NodeJS.Timeout | undefined
  #closed = false

  get readers(): number {
    return this.#readers.size
  }

  /** Told when the last reader has gone. */
  onLastReaderGone(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  publish({ type, data }: LiveEvent): void {
    const place = ++this.#place
    const bytes = encoder.encode(`id: ${this.#idOf(place)}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
    this.#kept.push({ place, bytes })
    this.#bytes += bytes.length
    while (this.#kept.length > KEPT_EVENTS || this.#bytes > KEPT_BYTES) {
      this.#bytes -= this.#kept.shift()?.bytes.length ?? 0
    }
    for (const reader of this.#readers) this.#give(reader, bytes)
  }

  /** From now on, and before that what came after this id. */
  stream(lastEventId?: string): ReadableStream<Uint8Array> {
    let reader: Reader | undefined
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          if (this.#closed) return controller.close()
          reader = controller
          // An id without data is where a reader stands that has seen nothing yet.
          const begin = `retry: ${RETRY_MS}\nid: ${this.#idOf(this.#place)}\n\n`
          const missed = lastEventId === undefined ? [] : this.#since(lastEventId)
          if (missed === undefined) controller.enqueue(encoder.encode(`${begin}event: reset\ndata: ${LOST}\n\n`))
          else if (missed.length === 0) controller.enqueue(encoder.encode(begin))
          else for (const { bytes } of missed) controller.enqueue(bytes)
          this.#readers.add(controller)
          this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
        },
        cancel: () => {
          if (reader !== undefined) this.#forget(reader)
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES }),
    )
  }

  /** Nobody has watched for a while: whoever comes back has missed something, and nobody knows what. */
  forgetEvents(): void {
    this.#age = newAge()
    this.#kept = []
    this.#bytes = 0
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#heartbeat)
    for (const reader of [...this.#readers]) this.#letGo(reader)
  }

  /** Undefined: it is not known what came after it. */
  #since(id: string): Kept[] | undefined {
    const [age, place] = id.split('.')
    const seen = Number(place)
    if (age !== this.#age || !Number.isSafeInteger(seen) || seen > this.#place) return undefined
    const missed = this.#kept.filter((one) => one.place > seen)
    return missed.length === this.#place - seen ? missed : undefined
  }

  #give(reader: Reader, bytes: Uint8Array): void {
    if ((reader.desiredSize ?? 0) <= 0) this.#letGo(reader)
    else reader.enqueue(bytes)
  }

  #beat(): void {
    for (const reader of this.#readers) this.#give(reader, HEARTBEAT)
  }

  #letGo(reader: Reader): void {
    reader.close()
    this.#forget(reader)
  }

  #forget(reader: Reader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
    for (const listener of [...this.#listeners]) listener()
  }

  #idOf(place: number): string {
    return `${this.#age}.${place}`
  }
}

const newAge = (): string => crypto.randomBytes(6).toString('hex')

const HEARTBEAT = encoder.encode(':\n\n')
const LOST = JSON.stringify({
  why: 'What came after the event you saw last is not known any more. Read everything anew.',
})
