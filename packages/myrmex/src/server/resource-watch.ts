/**
 * Watches resources while they have subscribers: resources that report changes themselves, and resources with a version, which are
 * polled. Subscribers are notified of every change after the answer to their subscription, whichever process made it.
 */
import { getOrMake } from '../protocol/get-or-make.ts'
import type { Resource } from '../tool/resource.ts'
import type { NotificationHub } from './notification-hub.ts'

const POLL_MS = 200

type Found = { readonly item: Resource; readonly variables: Record<string, string> } | undefined
type Version = string | number | undefined

export class ResourceWatch {
  readonly #hub: NotificationHub
  readonly #find: (uri: string) => Found
  readonly #onFailure: (thrown: unknown) => void
  readonly #versions = new Map<string, Version>()
  /** resources that report changes, and how to stop them */
  readonly #active = new Map<string, Promise<() => void>>()
  /** number of subscriptions being answered, per URI */
  readonly #starting = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #isPolling = false

  constructor(hub: NotificationHub, find: (uri: string) => Found, onFailure: (thrown: unknown) => void) {
    this.#hub = hub
    this.#find = find
    this.#onFailure = onFailure
  }

  /** Records the current versions. Returns undefined if none of the resources can be watched. */
  start(uris: Iterable<string>): Promise<void> | undefined {
    const watchable = [...uris].filter((uri) => {
      const item = this.#find(uri)?.item
      return item?.version !== undefined || item?.subscribe !== undefined
    })
    if (watchable.length === 0) return undefined
    this.#count(watchable, 1)
    // The caller subscribes in the same turn.
    return this.#record(watchable).finally(() => setImmediate(() => this.#count(watchable, -1)))
  }

  #count(uris: readonly string[], more: 1 | -1): void {
    for (const uri of uris) {
      const count = (this.#starting.get(uri) ?? 0) + more
      if (count === 0) this.#starting.delete(uri)
      else this.#starting.set(uri, count)
    }
  }

  async #record(uris: readonly string[]): Promise<void> {
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref()
    for (const uri of uris) {
      const subscribe = this.#find(uri)?.item.subscribe
      if (subscribe !== undefined) await this.#subscribe(uri, subscribe)
      else if (!this.#versions.has(uri)) this.#versions.set(uri, await this.#versionOf(uri))
    }
  }

  async #subscribe(uri: string, subscribe: NonNullable<Resource['subscribe']>): Promise<void> {
    try {
      await getOrMake(this.#active, uri, () => subscribe(uri, () => this.#hub.resourceUpdated(uri)))
    } catch (thrown) {
      this.#active.delete(uri)
      throw thrown
    }
  }

  #poll(): void {
    // One poll at a time, for slow stores.
    if (this.#isPolling) return
    this.#isPolling = true
    this.#checkVersions()
      .catch(this.#onFailure)
      .finally(() => {
        this.#isPolling = false
      })
  }

  async #checkVersions(): Promise<void> {
    const wanted = this.#hub.subscribedUris()
    for (const uri of this.#starting.keys()) wanted.add(uri)
    for (const uri of this.#active.keys()) if (!wanted.has(uri)) this.#stop(uri)
    for (const [uri, before] of [...this.#versions]) {
      if (!wanted.has(uri)) {
        this.#versions.delete(uri)
        continue
      }
      const now = await this.#versionOf(uri)
      if (now === before) continue
      this.#versions.set(uri, now)
      this.#hub.resourceUpdated(uri)
    }
    if (this.#versions.size === 0 && this.#active.size === 0) this.#stopPolling()
  }

  async #versionOf(uri: string): Promise<Version> {
    const found = this.#find(uri)
    return found?.item.version?.(uri, found.variables)
  }

  #stop(uri: string): void {
    this.#active.get(uri)?.then((stop) => stop(), this.#onFailure)
    this.#active.delete(uri)
  }

  #stopPolling(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  close(): void {
    this.#stopPolling()
    for (const uri of this.#active.keys()) this.#stop(uri)
  }
}
