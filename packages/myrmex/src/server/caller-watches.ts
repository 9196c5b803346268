/**
 * Subscriptions to resources that each caller has by itself, because the upstream keeps state for each. A change is reported to that
 * subscriber only. A subscription ends soon after its subscriber has unsubscribed or gone.
 */
import type { RequestContext } from '../tool/context.ts'
import type { Resource } from '../tool/resource.ts'
import type { NotificationHub } from './notification-hub.ts'

const CHECK_MS = 200

export interface CallerWatch {
  /** what the subscriber watches; the set itself identifies the subscriber */
  readonly watched: ReadonlySet<string>
  readonly uri: string
  readonly subscribe: NonNullable<Resource['subscribeFor']>
  readonly ctx: RequestContext
}

interface ActiveWatch extends Pick<CallerWatch, 'watched' | 'uri'> {
  readonly stop: Promise<() => void>
}

export class CallerWatches {
  readonly #hub: NotificationHub
  readonly #onFailure: (thrown: unknown) => void
  readonly #active = new Set<ActiveWatch>()
  #timer: NodeJS.Timeout | undefined

  constructor(hub: NotificationHub, onFailure: (thrown: unknown) => void) {
    this.#hub = hub
    this.#onFailure = onFailure
  }

  /** Resolves when changes are reported. Throws if the upstream rejects the subscription. */
  async start({ watched, uri, subscribe, ctx }: CallerWatch): Promise<void> {
    const known = [...this.#active].find((one) => one.watched === watched && one.uri === uri)
    if (known !== undefined) {
      await known.stop
      return
    }
    const stop = subscribe(uri, () => this.#hub.resourceUpdatedFor(watched, uri), ctx)
    const active = { watched, uri, stop }
    this.#active.add(active)
    try {
      await stop
    } catch (thrown) {
      this.#active.delete(active)
      throw thrown
    }
    this.#timer ??= setInterval(() => this.#endUnwatched(), CHECK_MS).unref()
  }

  #endUnwatched(): void {
    for (const active of this.#active) {
      const { watched, uri } = active
      if (!watched.has(uri) || !this.#hub.hasSubscriber(watched)) this.#end(active)
    }
    if (this.#active.size === 0) this.close()
  }

  #end(active: ActiveWatch): void {
    this.#active.delete(active)
    active.stop.then((stop) => stop(), this.#onFailure)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const active of this.#active) this.#end(active)
  }
}
