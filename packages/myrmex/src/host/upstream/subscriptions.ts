/**
 * Resource and list subscriptions at an upstream. All subscribers to a URI share one, which is restored on every new link: with
 * `resources/subscribe` in the legacy era, with one `subscriptions/listen` in the modern era.
 */
import { ToolError } from '../../protocol/errors.ts'
import { type JsonObject, valueAtPath } from '../../protocol/json.ts'
import type { Link } from '../link/link.ts'
import { ListenStream } from './listen-stream.ts'
import { describeFailure } from './upstream-errors.ts'

/** each one is restored after every restart */
const MAX_SUBSCRIPTIONS = 5000
const REQUEST_TIMEOUT_MS = 10_000

interface Subscription {
  readonly listeners: Set<() => void>
  /** resolved when the upstream has accepted it */
  readonly made: Promise<void>
}

export class Subscriptions {
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #name: string
  readonly #warn: (line: string) => void
  #link: Link | undefined
  #stream: ListenStream | undefined

  constructor(name: string, warn: (line: string) => void) {
    this.#name = name
    this.#warn = warn
  }

  get size(): number {
    return this.#subscriptions.size
  }

  /** Restores everything on a new link. A rejected subscription is logged and does not stop the others. */
  async attach(link: Link): Promise<void> {
    this.detach()
    this.#link = link
    const again = [...this.#subscriptions.keys()]
    if (link.era === 'modern') {
      this.#stream = new ListenStream(link, this.#warn)
      await this.#stream.keepOpen(() => this.#filter(link))
    } else
      await Promise.all(
        again.map((uri) => this.#warnIfNot('restored', uri, sendLegacy(link, 'resources/subscribe', uri))),
      )
    // Changes while the link was down were not reported.
    for (const uri of again) if (this.#link === link) this.notify(uri)
  }

  detach(): void {
    this.#stream?.stop()
    this.#stream = undefined
    this.#link = undefined
  }

  acknowledged(): void {
    this.#stream?.acknowledged()
  }

  /** Returns a function that unsubscribes. Throws if the upstream rejects the subscription. */
  async subscribe(uri: string, link: Link, onChange: () => void): Promise<() => void> {
    const { made, listeners } = this.#subscriptions.get(uri) ?? this.#begin(uri, link)
    // Before the answer: the first change may arrive right after it.
    listeners.add(onChange)
    await made
    return () => void this.#unsubscribe(uri, onChange)
  }

  #begin(uri: string, link: Link): Subscription {
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      const why = `${this.#name}: ${MAX_SUBSCRIPTIONS} resources are subscribed, which is the limit. Unsubscribe from some.`
      throw ToolError.of('ApiLimitExceeded', why, { server: this.#name })
    }
    const listeners = new Set<() => void>()
    const { promise: made, resolve } = Promise.withResolvers<void>()
    const subscription = { listeners, made }
    // The modern filter names all URIs, so this one must be known before it is sent.
    this.#subscriptions.set(uri, subscription)
    resolve(
      this.#send(link, 'resources/subscribe', uri).catch((thrown: unknown) => {
        if (this.#subscriptions.get(uri) === subscription) this.#subscriptions.delete(uri)
        throw thrown
      }),
    )
    return subscription
  }

  /** An upstream may report a change of a sub-resource. */
  notify(uri: string): void {
    for (const [wanted, { listeners }] of this.#subscriptions) {
      if (uri !== wanted && !uri.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`)) continue
      for (const onChange of listeners) {
        try {
          onChange()
        } catch (thrown) {
          this.#warn(`a subscriber to ${wanted} failed: ${describeFailure(thrown)}`)
        }
      }
    }
  }

  async #unsubscribe(uri: string, onChange: () => void): Promise<void> {
    const subscription = this.#subscriptions.get(uri)
    if (!subscription?.listeners.delete(onChange) || subscription.listeners.size > 0) return
    this.#subscriptions.delete(uri)
    // Without a connection there is nothing to unsubscribe.
    const link = this.#link
    if (link === undefined) return
    const sent = this.#send(link, 'resources/unsubscribe', uri)
    await this.#warnIfNot(
      'cancelled',
      uri,
      sent.catch((thrown: unknown) => {
        // The end of the connection, which is often that of its only client, has cancelled it.
        if (this.#link === link) throw thrown
      }),
    )
  }

  /** Never rejects: a failure is only logged. */
  async #warnIfNot(done: string, uri: string, sent: Promise<unknown>): Promise<void> {
    await sent.catch((thrown: unknown) =>
      this.#warn(`the subscription to ${uri} could not be ${done}: ${describeFailure(thrown)}`),
    )
  }

  async #send(link: Link, method: string, uri: string): Promise<void> {
    if (link.era === 'legacy') await sendLegacy(link, method, uri)
    else await this.#stream?.open(() => this.#filter(link))
  }

  #filter({ capabilities }: Link): JsonObject {
    const filter: JsonObject = {}
    for (const kind of ['tools', 'prompts', 'resources']) {
      if (valueAtPath(capabilities, [kind, 'listChanged']) === true) filter[`${kind}ListChanged`] = true
    }
    if (this.#subscriptions.size > 0) filter.resourceSubscriptions = [...this.#subscriptions.keys()]
    return filter
  }
}

const sendLegacy = (link: Link, method: string, uri: string): Promise<JsonObject> =>
  link.request(method, { uri }, { timeoutMs: REQUEST_TIMEOUT_MS })
