/**
 * The SSE streams of one legacy session and their latest events. A client that was disconnected resumes with the id of the last event
 * it saw. A call that is held for it ends if it does not come back soon.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Message } from '../../protocol/jsonrpc.ts'
import { encode } from '../../server/results/encode.ts'
import type { Channel, Reply } from '../../server/session.ts'
import type { Principal, RequestInfo } from '../../tool/context.ts'
import { isNotification } from '../held-notifications.ts'
import type { ProtectedResource } from './protected-resource.ts'
import { EventWriter, openEventStream, sendChallenged, sseEvent } from './reply.ts'
import { requestInfo } from './request-info.ts'

/** Limits for streams that nobody reads: the oldest events are dropped, notifications before others, and never the last. */
const KEPT_EVENTS = 256
const KEPT_BYTES = 1024 * 1024
const KEPT_STREAMS = 64
/** Of all streams of a session together. */
const KEPT_SESSION_BYTES = 16 * 1024 * 1024
const RETRY_MS = 500
/** Clients resume within a few seconds, or never. */
const RESUME_MS = 10_000

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

  /** The stream of one POST. `resource`: the token of the request is of its issuer. */
  open(response: ServerResponse, principal: Principal, resource?: ProtectedResource): EventStream {
    return new EventStream(`post${++this.#count}`, this, { response, principal, resource })
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
    if (this.#streams.size > KEPT_STREAMS) this.#forgetOldest()
    return stream
  }

  /** Forgets finished streams, the oldest first, while all together keep too much. */
  limit(): void {
    for (let bytes = this.#keptBytes(); bytes > KEPT_SESSION_BYTES; bytes = this.#keptBytes())
      if (!this.#forgetOldest()) return
  }

  #keptBytes(): number {
    let bytes = 0
    for (const stream of this.#streams.values()) bytes += stream.keptBytes
    return bytes
  }

  #forgetOldest(): boolean {
    for (const stream of this.#streams.values()) if (stream.finished) return this.#streams.delete(stream.id)
    return false
  }
}

/** What a stream that answers a POST knows of it. */
interface PostedRequest {
  readonly response: ServerResponse
  readonly principal: Principal
  readonly resource: ProtectedResource | undefined
}

export class EventStream implements Channel {
  readonly id: string
  readonly principal?: Principal
  readonly #request: IncomingMessage | undefined
  readonly #log: SessionStreams
  /** becomes SSE if anything is sent before the answer, and plain JSON otherwise */
  #response: ServerResponse | undefined
  #writer: EventWriter | undefined
  readonly #events: { seq: number; data: string; isNotification: boolean }[] = []
  #seq = 0
  keptBytes = 0
  finished = false
  readonly #resource: ProtectedResource | undefined
  #challenge: string | undefined
  /** those that wait for the client to be gone */
  readonly #goneListeners = new Set<() => void>()
  #goneTimer: NodeJS.Timeout | undefined

  /** `post` is undefined for the standing stream. */
  constructor(id: string, log: SessionStreams, post?: PostedRequest) {
    this.id = id
    this.#log = log
    this.#response = post?.response
    this.#request = post?.response.req
    this.#resource = post?.resource
    if (post !== undefined) this.principal = post.principal
  }

  get request(): RequestInfo | undefined {
    return this.#request && requestInfo(this.#request)
  }

  /** Clients of this era ask for exactly the scopes of the challenge, so it has those that they would lose. */
  outOfScope(missing: string, granted: readonly string[]): void {
    if (this.#request !== undefined)
      this.#challenge = this.#resource?.insufficientScope(this.#request, missing, granted)
  }

  get attached(): boolean {
    return this.#response !== undefined && !this.#response.destroyed && !this.#response.writableEnded
  }

  /** The client has left. It may resume. */
  get isAway(): boolean {
    return !this.finished && !this.attached
  }

  /** Calls `listener` when the client has left and cannot resume, or has not done so in time. */
  onGone(listener: () => void): () => void {
    this.#goneListeners.add(listener)
    if (this.#goneListeners.size === 1) this.#watchClose(this.#response)
    return () => this.#goneListeners.delete(listener)
  }

  #watchClose(response: ServerResponse | undefined): void {
    if (!this.attached) return this.#noteClosed(response)
    response?.once('close', () => this.#noteClosed(response))
  }

  #noteClosed(response: ServerResponse | undefined): void {
    if (this.finished || response !== this.#response || this.#goneListeners.size === 0) return
    clearTimeout(this.#goneTimer)
    // Without a stream it has no event to resume from.
    const mayResume = response === undefined || response.headersSent
    this.#goneTimer = setTimeout(() => this.#noteGone(), mayResume ? RESUME_MS : 0).unref()
  }

  #noteGone(): void {
    if (this.isAway) for (const listener of [...this.#goneListeners]) listener()
  }

  get hasLeft(): boolean {
    return this.#response !== undefined && !this.attached
  }

  send(message: Message): void {
    if (this.finished) return
    if (!this.attached) return this.#append(encode(message), isNotification(message))
    this.#writer ??= new EventWriter(this.#response as ServerResponse, (one) =>
      this.#append(encode(one), isNotification(one)),
    )
    this.#writer.send(message)
  }

  end(reply: Reply): void {
    // Progress must not come after its result.
    this.#writer?.flush()
    this.finished = true
    const response = this.#response
    if (response !== undefined && !response.headersSent) {
      if (reply === undefined) response.writeHead(202).end()
      // One of several messages in an array does not make all of them an error.
      else sendChallenged(response, Array.isArray(reply) ? undefined : this.#challenge, 200, encode(reply))
      return
    }
    if (reply !== undefined) this.#append(encode(reply), false)
    this.#response?.end()
    this.#log.limit()
  }

  /** Disconnects the client, which resumes with the last event id. */
  disconnect(): void {
    if (!this.attached || !this.#log.priming) return
    this.#start()
    this.#writer?.flush()
    this.#response?.end()
    this.#response = undefined
    this.#writer = undefined
  }

  /** For a client that resumes, or opens the standing stream. */
  attach(response: ServerResponse, seen: number): void {
    this.#response = response
    this.#writer = undefined
    clearTimeout(this.#goneTimer)
    openEventStream(response)
    if (seen === 0 && this.#log.priming) response.write(this.#primingEvent())
    for (const { seq, data } of this.#events) if (seq > seen) response.write(sseEvent(data, `${this.id}-${seq}`))
    if (this.finished) response.end()
    else if (this.#goneListeners.size > 0) this.#watchClose(response)
  }

  close(): void {
    this.finished = true
    this.#response?.end()
  }

  #append(data: string, isNotification: boolean): void {
    this.#start()
    const seq = ++this.#seq
    this.#events.push({ seq, data, isNotification })
    this.keptBytes += data.length
    while (this.#events.length > KEPT_EVENTS || (this.keptBytes > KEPT_BYTES && this.#events.length > 1)) this.#drop()
    if (this.attached) this.#response?.write(sseEvent(data, `${this.id}-${seq}`))
  }

  #drop(): void {
    const oldest = this.#events.findIndex((event, index) => event.isNotification && index < this.#events.length - 1)
    const [dropped] = this.#events.splice(Math.max(0, oldest), 1)
    this.keptBytes -= dropped?.data.length ?? 0
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
