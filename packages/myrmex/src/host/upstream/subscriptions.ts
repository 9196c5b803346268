/**
 * Which resources of an upstream somebody wants to hear of, and its lists. Counted by URI, and made again at every new link: by
 * `resources/subscribe` in the legacy era, by one `subscriptions/listen` in the modern one.
 */
import { ToolError } from '../../protocol/errors.ts'
import { type JsonObject, valueAtPath } from '../../protocol/json.ts'
import type { Link } from '../link/link.ts'
import { ListenStream } from './listen-stream.ts'
import { describeFailure } from './upstream-errors.ts'

/** more than clients have use for; each is held at the upstream and made again after every restart */
const MOST = 5000
const LONGEST_MS = 10_000
/** a new link is not held up for longer by one that does not acknowledge */
const ACKNOWLEDGE_MS = 2000

interface Held {
  count: number
  /** settles when the upstream knows of it */
  made: Promise<void>
}

export interface SubscriptionsOptions {
  readonly name: string
  readonly warn: (line: string) => void
  /** Of those that were made again: what changed while nobody listened, nobody was told. */
  readonly onMaybeMissed: (uri: string) => void
}

export class Subscriptions {
  readonly #held = new Map<string, Held>()
  readonly #options: SubscriptionsOptions
  #link: Link | undefined
  #listening: ListenStream | undefined

  constructor(options: SubscriptionsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#held.size
  }

  /** Makes all of it at a new link. What the upstream refuses is told, and stops nothing else. */
  async attach(link: Link): Promise<void> {
    this.detach()
    this.#link = link
    const again = [...this.#held.keys()]
    if (link.era === 'modern') {
      this.#listening = new ListenStream(link, { log: this.#options.warn, ackMs: ACKNOWLEDGE_MS })
      await this.#listening.keepOpen(() => this.#wishes(link))
    } else await Promise.all(again.map((uri) => this.#again(link, uri)))
    for (const uri of again) if (this.#link === link) this.#options.onMaybeMissed(uri)
  }

  detach(): void {
    this.#listening?.stop()
    this.#listening = undefined
    this.#link = undefined
  }

  acknowledged(): void {
    this.#listening?.acknowledged()
  }

  /** Throws what the upstream said against it; then it is not held. */
  async subscribe(uri: string, link: Link): Promise<void> {
    const known = this.#held.get(uri)
    if (known !== undefined) {
      known.count++
      return known.made
    }
    if (this.#held.size >= MOST) {
      const why = `${this.#options.name}: ${MOST} resources are subscribed to, and no more are taken. Unsubscribe from some.`
      throw ToolError.of('ApiLimitExceeded', why, { server: this.#options.name })
    }
    const held: Held = { count: 1, made: Promise.resolve() }
    this.#held.set(uri, held)
    held.made = this.#tell(link, 'resources/subscribe', uri).catch((thrown: unknown) => {
      if (this.#held.get(uri) === held) this.#held.delete(uri)
      throw thrown
    })
    return held.made
  }

  /** Whoever lets go need not hear that the upstream did not like it. */
  async unsubscribe(uri: string): Promise<void> {
    const held = this.#held.get(uri)
    if (held === undefined || --held.count > 0) return
    this.#held.delete(uri)
    // Where it is down there is nothing to take back.
    if (this.#link === undefined) return
    try {
      await this.#tell(this.#link, 'resources/unsubscribe', uri)
    } catch (thrown) {
      this.#options.warn(`the subscription to ${uri} could not be taken back: ${describeFailure(thrown)}`)
    }
  }

  async #again(link: Link, uri: string): Promise<void> {
    try {
      await told(link, 'resources/subscribe', uri)
    } catch (thrown) {
      this.#options.warn(`the subscription to ${uri} could not be made again: ${describeFailure(thrown)}`)
    }
  }

  async #tell(link: Link, method: string, uri: string): Promise<void> {
    if (link.era === 'legacy') await told(link, method, uri)
    else await this.#listening?.open(() => this.#wishes(link))
  }

  #wishes({ capabilities }: Link): JsonObject {
    const wishes: JsonObject = {}
    for (const kind of ['tools', 'prompts', 'resources']) {
      if (valueAtPath(capabilities, [kind, 'listChanged']) === true) wishes[`${kind}ListChanged`] = true
    }
    if (this.#held.size > 0) wishes.resourceSubscriptions = [...this.#held.keys()]
    return wishes
  }
}

const told = (link: Link, method: string, uri: string): Promise<JsonObject> =>
  link.request(method, { uri }, { timeoutMs: LONGEST_MS })
