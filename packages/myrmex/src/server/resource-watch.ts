/**
 * Sees for itself when resources change that can tell their version, for as long as somebody has subscribed to them. Who subscribes
 * hears of every change after the answer to the subscription, whichever process made it.
 */
import type { Resource } from '../tool/resource.ts'
import type { Hub } from './hub.ts'

const LOOK_EVERY_MS = 200

type Found = { readonly item: Resource; readonly variables: Record<string, string> } | undefined
type Version = string | number | undefined

export class ResourceWatch {
  readonly #hub: Hub
  readonly #find: (uri: string) => Found
  readonly #onFailure: (thrown: unknown) => void
  readonly #known = new Map<string, Version>()
  #timer: NodeJS.Timeout | undefined
  #looking = false

  constructor(hub: Hub, find: (uri: string) => Found, onFailure: (thrown: unknown) => void) {
    this.#hub = hub
    this.#find = find
    this.#onFailure = onFailure
  }

  /** Notes how these stand now. Undefined: there is nothing to watch among them. */
  begin(uris: Iterable<string>): Promise<void> | undefined {
    const watchable = [...uris].filter((uri) => this.#find(uri)?.item.version !== undefined)
    if (watchable.length === 0) return undefined
    return this.#note(watchable)
  }

  async #note(uris: readonly string[]): Promise<void> {
    for (const uri of uris) if (!this.#known.has(uri)) this.#known.set(uri, await this.#versionOf(uri))
    this.#timer ??= setInterval(() => this.#tick(), LOOK_EVERY_MS).unref()
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
    const wanted = this.#hub.subscribed()
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
    if (this.#known.size === 0) this.close()
  }

  async #versionOf(uri: string): Promise<Version> {
    const found = this.#find(uri)
    return found?.item.version?.(uri, found.variables)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
