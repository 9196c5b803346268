/**
 * Resource and list subscriptions at an upstream. They are counted per URI and restored on every new link: with
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
/** a missing acknowledgement delays a new link no longer than this */
const ACKNOWLEDGE_MS = 2000

interface Subscription {
  count: number
  /** resolved when the upstream has accepted it */
  made: Promise<void>
}

export interface SubscriptionsOptions {
  readonly name: string
  readonly warn: (line: string) => void
  /** Called for restored subscriptions: changes while the link was down were not reported. */
  readonly onMaybeMissed: (uri: string) => void
}

export class Subscriptions {
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #options: SubscriptionsOptions
  #link: Link | undefined
  #stream: ListenStream | undefined

  constructor(options: SubscriptionsOptions) {
    this.#options = options
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
      this.#stream = new ListenStream(link, { log: this.#options.warn, ackMs: ACKNOWLEDGE_MS })
      await this.#stream.keepOpen(() => this.#filter(link))
    } else await Promise.all(again.map((uri) => this.#restore(link, uri)))
    for (const uri of again) if (this.#link === link) this.#options.onMaybeMissed(uri)
  }

  detach(): void {
    this.#stream?.stop()
    this.#stream = undefined
    this.#link = undefined
  }

  acknowledged(): void {
    this.#stream?.acknowledged()
  }

  /** Throws if the upstream rejects the subscription. */
  async subscribe(uri: string, link: Link): Promise<void> {
    const existing = this.#subscriptions.get(uri)
    if (existing !== undefined) {
      existing.count++
      return existing.made
    }
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      const why = `${this.#options.name}: ${MAX_SUBSCRIPTIONS} resources are subscribed, which is the limit. Unsubscribe from some.`
      throw ToolError.of('ApiLimitExceeded', why, { server: this.#options.name })
    }
    const subscription: Subscription = { count: 1, made: Promise.resolve() }
    this.#subscriptions.set(uri, subscription)
    subscription.made = this.#send(link, 'resources/subscribe', uri).catch((thrown: unknown) => {
      if (this.#subscriptions.get(uri) === subscription) this.#subscriptions.delete(uri)
      throw thrown
    })
    return subscription.made
  }

  /** Never rejects: a failure is only logged. */
  async unsubscribe(uri: string): Promise<void> {
    const subscription = this.#subscriptions.get(uri)
    if (subscription === undefined || --subscription.count > 0) return
    this.#subscriptions.delete(uri)
    // Without a connection there is nothing to unsubscribe.
    if (this.#link === undefined) return
    try {
      await this.#send(this.#link, 'resources/unsubscribe', uri)
    } catch (thrown) {
      this.#options.warn(`the subscription to ${uri} could not be cancelled: ${describeFailure(thrown)}`)
    }
  }

  async #restore(link: Link, uri: string): Promise<void> {
    try {
      await sendLegacy(link, 'resources/subscribe', uri)
    } catch (thrown) {
      this.#options.warn(`the subscription to ${uri} could not be restored: ${describeFailure(thrown)}`)
    }
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
