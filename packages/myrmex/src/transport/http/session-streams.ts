/**
 * The SSE streams of one legacy session and their latest events. A client that was disconnected resumes with the id of the last event
 * it saw.
 */
import type { ServerResponse } from 'node:http'
import type { Message } from '../../protocol/jsonrpc.ts'
import { encode } from '../../server/results/encode.ts'
import type { Channel, Reply } from '../../server/session.ts'
import { openEventStream, sendJson, sseEvent } from './reply.ts'

/** Limits for streams that nobody reads: the oldest events are dropped. */
const KEPT_EVENTS = 256
const KEPT_STREAMS = 64
const RETRY_MS = 500

/** The stream for messages that belong to no request: list changes, resource updates. */
const STANDING = 'standing'

export class SessionStreams {
  readonly #streams = new Map<string, EventStream>()
  /** 2025-11-25 starts every stream with an empty event with an id, which older clients do not accept */
  priming = false
  #count = 0

  standing(): EventStream {
    return this.#streams.get(STANDING) ?? this.#add(new EventStream(STANDING, this))
  }

  /** The stream of one POST. */
  open(response: ServerResponse): EventStream {
    return new EventStream(`post${++this.#count}`, this, response)
  }

  keep(stream: EventStream): void {
    if (!this.#streams.has(stream.id)) this.#add(stream)
  }

  find(eventId: string): { stream: EventStream; seen: number } | undefined {
    const cut = eventId.lastIndexOf('-')
    const stream = this.#streams.get(eventId.slice(0, cut))
    const seen = Number(eventId.slice(cut + 1))
    return stream === undefined || !Number.isSafeInteger(seen) ? undefined : { stream, seen }
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.close()
    this.#streams.clear()
  }

  #add(stream: EventStream): EventStream {
    this.#streams.set(stream.id, stream)
    if (this.#streams.size > KEPT_STREAMS) {
      const done = [...this.#streams.values()].find((other) => other.finished)
      if (done !== undefined) this.#streams.delete(done.id)
    }
    return stream
  }
}

export class EventStream implements Channel {
  readonly id: string
  readonly #log: SessionStreams
  /** becomes SSE if anything is sent before the answer, and plain JSON otherwise */
  #response: ServerResponse | undefined
  #events: { seq: number; data: string }[] = []
  #seq = 0
  finished = false

  constructor(id: string, log: SessionStreams, response?: ServerResponse) {
    this.id = id
    this.#log = log
    this.#response = response
  }

  get attached(): boolean {
    return this.#response !== undefined && !this.#response.destroyed && !this.#response.writableEnded
  }

  send(message: Message): void {
    this.#append(encode(message))
  }

  end(reply: Reply): void {
    this.finished = true
    const response = this.#response
    if (response !== undefined && !response.headersSent) {
      if (reply === undefined) response.writeHead(202).end()
      else sendJson(response, 200, encode(reply))
      return
    }
    if (reply !== undefined) this.#append(encode(reply))
    this.#response?.end()
  }

  /** Disconnects the client, which resumes with the last event id. */
  disconnect(): void {
    if (!this.attached || !this.#log.priming) return
    this.#start()
    this.#response?.end()
    this.#response = undefined
  }

  /** For a client that resumes, or opens the standing stream. */
  attach(response: ServerResponse, seen: number): void {
    this.#response = response
    openEventStream(response)
    if (seen === 0 && this.#log.priming) response.write(this.#primingEvent())
    for (const { seq, data } of this.#events) if (seq > seen) response.write(sseEvent(data, `${this.id}-${seq}`))
    if (this.finished) response.end()
  }

  close(): void {
    this.finished = true
    this.#response?.end()
  }

  #append(data: string): void {
    this.#start()
    const seq = ++this.#seq
    this.#events.push({ seq, data })
    if (this.#events.length > KEPT_EVENTS) this.#events.shift()
    if (this.attached) this.#response?.write(sseEvent(data, `${this.id}-${seq}`))
  }

  #start(): void {
    this.#log.keep(this)
    if (this.#response === undefined || this.#response.headersSent) return
    openEventStream(this.#response)
    if (this.#log.priming) this.#response.write(this.#primingEvent())
  }

  #primingEvent(): string {
    return `retry: ${RETRY_MS}\n${sseEvent('', `${this.id}-0`)}`
  }
}
