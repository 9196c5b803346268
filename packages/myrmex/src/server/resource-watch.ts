/**
 * Hears of changes to resources for as long as somebody has subscribed to them: from those that tell by themselves, and by looking
 * at those that can say their version. Who subscribes hears of every change after the answer to the subscription, whichever process
 * made it.
 */
import type { Resource } from '../tool/resource.ts'
import type { NotificationHub } from './notification-hub.ts'

const LOOK_EVERY_MS = 200

type Found = { readonly item: Resource; readonly variables: Record<string, string> } | undefined
type Version = string | number | undefined

export class ResourceWatch {
  readonly #hub: NotificationHub
  readonly #find: (uri: string) => Found
  readonly #onFailure: (thrown: unknown) => void
  readonly #known = new Map<string, Version>()
  /** those that tell by themselves, and how to stop them */
  readonly #telling = new Map<string, Promise<() => void>>()
  /** whose subscribers are only now being answered, and how many of them */
  readonly #beginning = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #looking = false

  constructor(hub: NotificationHub, find: (uri: string) => Found, onFailure: (thrown: unknown) => void) {
    this.#hub = hub
    this.#find = find
    this.#onFailure = onFailure
  }

  /** Notes how these stand now. Undefined: there is nothing to watch among them. */
  start(uris: Iterable<string>): Promise<void> | undefined {
    const watchable = [...uris].filter((uri) => {
      const item = this.#find(uri)?.item
      return item?.version !== undefined || item?.subscribe !== undefined
    })
    if (watchable.length === 0) return undefined
    this.#count(watchable, 1)
    // Whoever waits for this subscribes in the same turn.
    return this.#note(watchable).finally(() => setImmediate(() => this.#count(watchable, -1)))
  }

  #count(uris: readonly string[], more: 1 | -1): void {
    for (const uri of uris) {
      const count = (this.#beginning.get(uri) ?? 0) + more
      if (count === 0) this.#beginning.delete(uri)
      else this.#beginning.set(uri, count)
    }
  }

  async #note(uris: readonly string[]): Promise<void> {
    this.#timer ??= setInterval(() => this.#tick(), LOOK_EVERY_MS).unref()
    for (const uri of uris) {
      const subscribe = this.#find(uri)?.item.subscribe
      if (subscribe !== undefined) await this.#hear(uri, subscribe)
      else if (!this.#known.has(uri)) this.#known.set(uri, await this.#versionOf(uri))
    }
  }

  async #hear(uri: string, subscribe: NonNullable<Resource['subscribe']>): Promise<void> {
    let telling = this.#telling.get(uri)
    if (telling === undefined) {
      telling = subscribe(uri, () => this.#hub.resourceUpdated(uri))
      this.#telling.set(uri, telling)
    }
    try {
      await telling
    } catch (thrown) {
      this.#telling.delete(uri)
      throw thrown
    }
  }

  #tick(): void {
    // One look at a time: a slow store is not asked again before it has answered.
    if (this.#looking) return
    this.#looking = true
    this.#look()
      .catch(this.#onFailure)
      .finally(() => {
        this.#looking = false
      })
  }

  async #look(): Promise<void> {
    const wanted = this.#hub.subscribedUris()
    for (const uri of this.#beginning.keys()) wanted.add(uri)
    for (const uri of this.#telling.keys()) if (!wanted.has(uri)) this.#stop(uri)
    for (const [uri, before] of [...this.#known]) {
      if (!wanted.has(uri)) {
        this.#known.delete(uri)
        continue
      }
      const now = await this.#versionOf(uri)
      if (now === before) continue
      this.#known.set(uri, now)
      this.#hub.resourceUpdated(uri)
    }
    if (this.#known.size === 0 && this.#telling.size === 0) this.#rest()
  }

  async #versionOf(uri: string): Promise<Version> {
    const found = this.#find(uri)
    return found?.item.version?.(uri, found.variables)
  }

  #stop(uri: string): void {
    this.#telling.get(uri)?.then((stop) => stop(), this.#onFailure)
    this.#telling.delete(uri)
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  close(): void {
    this.#rest()
    for (const uri of this.#telling.keys()) this.#stop(uri)
  }
}
