/**
 * The secrets that callers sent to one upstream, while their calls run and for a minute after. An upstream may repeat them where no
 * call's own filter is used: in log messages, on stderr, in the progress or the error of another call. What it sends there passes one
 * of these methods:
 *
 * - `text`, for the operator's log: without the secrets of any call.
 * - `forCaller`, for a caller: without the secrets of other calls. A text that the caller sent itself stays, and so do short ones. The
 *   caller could otherwise send a list of guesses and see which of them are removed.
 */
import { sentSecrets, TOO_MANY, unlessTooMany } from '../../pipeline/audit/call-secrets.ts'
import { Call } from '../../pipeline/call.ts'
import { RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { SecretFilter } from '../../protocol/secret.ts'
import type { ForwardedRequest } from './forwarded-request.ts'

/** How long an upstream may still write about a call that has ended. */
const KEPT_MS = 60_000
/** Of ended calls. Those of calls in flight are all kept. */
const MAX_KEPT = 500
/** Characters to search in one text, counted for each way of writing each secret. */
const SEARCH_LIMIT = 50_000_000
/** Shorter secrets of other callers could be guessed. */
const MIN_LENGTH_FOR_CALLERS = 8

const NO_NAMES: ReadonlySet<string> = new Set()

export class RecentSecrets {
  readonly #inFlight = new Map<ForwardedRequest, readonly string[]>()
  /** of ended calls, and until when they are kept; the oldest first */
  readonly #ended = new Map<string, number>()
  #filter: SecretFilter | undefined
  /** the texts that the filter was made of */
  #searched: ReadonlySet<string> = NO_NAMES

  /** The length of the longest form of a secret, for texts that are cut before they are searched. */
  get longest(): number {
    if (this.#isEmpty) return 0
    return unlessTooMany(
      () => this.#all.forms.values().reduce((most, { length }) => Math.max(most, length), 0),
      () => 0,
    )
  }

  /** Also when the call has new answers of its client, which may be secret. */
  add(request: ForwardedRequest): void {
    const { scope } = request
    const texts = scope instanceof Call ? sentSecrets(scope) : []
    if (texts.length === 0) return
    this.#inFlight.set(request, texts)
    this.#forgetFilterUnless(texts)
  }

  /** `result`: the upstream's, whose secrets count too. */
  end(request: ForwardedRequest, result?: JsonObject): void {
    const { scope } = request
    const texts = scope instanceof Call ? sentSecrets(scope, result?.structuredContent) : []
    this.#inFlight.delete(request)
    if (texts.length === 0) return
    const until = performance.now() + KEPT_MS
    for (const text of texts.slice(0, MAX_KEPT)) {
      this.#ended.delete(text)
      this.#ended.set(text, until)
    }
    for (const text of this.#ended.keys()) {
      if (this.#ended.size <= MAX_KEPT) break
      this.#ended.delete(text)
    }
    this.#forgetFilterUnless(texts)
  }

  text(text: string): string {
    if (this.#isEmpty) return text
    return unlessTooMany(
      () => this.#all.text(text),
      () => TOO_MANY,
    )
  }

  forCaller(text: string, request: ForwardedRequest): string {
    if (this.#isEmpty || this.text(text) === text) return text
    const { scope } = request
    const own = scope instanceof Call ? JSON.stringify([scope.args, scope.answerRounds]) : ''
    const others = [...this.#texts()].filter(
      (secret) => secret.length >= MIN_LENGTH_FOR_CALLERS && !own.includes(JSON.stringify(secret).slice(1, -1)),
    )
    return unlessTooMany(
      () => new SecretFilter(NO_NAMES, others, SEARCH_LIMIT).text(text),
      () => TOO_MANY,
    )
  }

  /** Data of a log message, which becomes a text if something is removed from it. */
  loggedData(data: unknown, request: ForwardedRequest): unknown {
    if (this.#isEmpty) return data
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    const clean = this.forCaller(text, request)
    return clean === text ? data : clean
  }

  /** The result of a call that failed: its texts without the secrets of other calls. A result with data stays as it is. */
  failedResult(result: JsonObject, request: ForwardedRequest): JsonObject {
    const { isError, content } = result
    if (isError !== true || this.#isEmpty || !Array.isArray(content)) return result
    const clean = content.map((block) =>
      isObject(block) && typeof block.text === 'string'
        ? { ...block, text: this.forCaller(block.text, request) }
        : block,
    )
    return { ...result, content: clean } as JsonObject
  }

  /** The same for an error. Its data is left out if it has such a secret. */
  error(thrown: unknown, request: ForwardedRequest): unknown {
    if (this.#isEmpty || !(thrown instanceof RpcError)) return thrown
    const message = this.forCaller(thrown.message, request)
    const data = thrown.data === undefined ? '' : JSON.stringify(thrown.data)
    const isClean = this.forCaller(data, request) === data
    if (isClean && message === thrown.message) return thrown
    return new RpcError(thrown.code, message, isClean ? thrown.data : undefined)
  }

  get #isEmpty(): boolean {
    this.#expire()
    return this.#inFlight.size + this.#ended.size === 0
  }

  get #all(): SecretFilter {
    if (this.#filter === undefined) {
      this.#searched = this.#texts()
      this.#filter = new SecretFilter(NO_NAMES, [...this.#searched], SEARCH_LIMIT)
    }
    return this.#filter
  }

  /** Most callers send the same secret with every call, and making a filter takes milliseconds. */
  #forgetFilterUnless(searched: readonly string[]): void {
    if (!searched.every((text) => this.#searched.has(text))) this.#filter = undefined
  }

  #texts(): Set<string> {
    return new Set([...[...this.#inFlight.values()].flat(), ...this.#ended.keys()])
  }

  #expire(): void {
    if (this.#ended.size === 0) return
    const now = performance.now()
    for (const [text, until] of this.#ended) {
      if (until > now) break
      this.#ended.delete(text)
      this.#filter = undefined
    }
  }
}
