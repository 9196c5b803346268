/** Delivers change notifications to `subscriptions/listen` streams and legacy sessions. */
import type { Params } from '../protocol/jsonrpc.ts'

/** `resource`: the content at a URI changed; `task`: a task changed. `profiles`: not the list changed, but what profiles cover of it. */
export type Change =
  | { kind: ListKind; profiles?: true }
  | { kind: 'resource'; uri: string }
  | { kind: 'task'; taskId: string; task: Params }

export type ListKind = 'tools' | 'prompts' | 'resources'

export interface Listener {
  wants(change: Change): boolean
  uris(): Iterable<string>
  send(method: string, params: Params): void
}

const LISTS = ['tools', 'prompts', 'resources'] as const

export class NotificationHub {
  readonly #listeners = new Set<Listener>()
  readonly #pending = new Set<ListKind>()

  add(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get size(): number {
    return this.#listeners.size
  }

  /** Several changes of a list in one turn are announced once. */
  listChanged(kind: ListKind): void {
    if (this.#listeners.size === 0 || this.#pending.has(kind)) return
    this.#pending.add(kind)
    setImmediate(() => {
      this.#pending.delete(kind)
      this.#tell({ kind }, `notifications/${kind}/list_changed`, {})
    })
  }

  /** What callers with a profile see may have changed. */
  profilesChanged(): void {
    for (const kind of LISTS) this.#tell({ kind, profiles: true }, `notifications/${kind}/list_changed`, {})
  }

  /** All resources with subscribers. */
  subscribedUris(): Set<string> {
    const uris = new Set<string>()
    for (const listener of this.#listeners) for (const uri of listener.uris()) uris.add(uri)
    return uris
  }

  resourceUpdated(uri: string): void {
    this.#tell({ kind: 'resource', uri }, 'notifications/resources/updated', { uri })
  }

  /** The same for one subscriber: the one whose watched URIs are this very set. */
  resourceUpdatedFor(watched: ReadonlySet<string>, uri: string): void {
    for (const listener of this.#listeners) {
      if (listener.uris() === watched && watched.has(uri)) listener.send('notifications/resources/updated', { uri })
    }
  }

  /** Whether the subscriber with this very set is still there. */
  hasSubscriber(watched: ReadonlySet<string>): boolean {
    return [...this.#listeners].some((listener) => listener.uris() === watched)
  }

  taskChanged(taskId: string, task: Params): void {
    this.#tell({ kind: 'task', taskId, task }, 'notifications/tasks', task)
  }

  #tell(change: Change, method: string, params: Params): void {
    for (const listener of this.#listeners) if (listener.wants(change)) listener.send(method, params)
  }
}
