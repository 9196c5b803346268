/**
 * Notifications for a peer that is behind with reading. Of each kind only the latest is kept: the progress of a request, the parts of its
 * result, the change of a list or of a resource. Others are dropped. So what waits for a peer is bounded, however much is reported to it. Results, errors and
 * questions are never held: they go out at once, after the notifications that were held before them.
 */
import type { Message } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'

/** A peer with more unread bytes is behind. */
export const SLOW_BYTES: number = 1024 * 1024
/** A peer with more unread bytes is dropped: it does not read. */
export const MAX_UNREAD_BYTES: number = 64 * 1024 * 1024
/** More kinds of notifications than any peer needs at once. */
const MAX_HELD = 1000

export class HeldNotifications {
  readonly #latest = new Map<string, Message>()
  /** how many were dropped, because a later one took their place or there is none */
  dropped = 0

  get isEmpty(): boolean {
    return this.#latest.size === 0
  }

  hold(message: Message): void {
    const kind = kindOf(message)
    if (kind === undefined || (this.#latest.size >= MAX_HELD && !this.#latest.has(kind))) {
      this.dropped++
      return
    }
    // The latest comes last.
    if (this.#latest.delete(kind)) this.dropped++
    this.#latest.set(kind, message)
  }

  /** Returns what is held, in order, and holds nothing. */
  take(): Message[] {
    const held = [...this.#latest.values()]
    this.#latest.clear()
    return held
  }
}

export const isNotification = (message: Message): boolean => 'method' in message && !('id' in message)

/** What a later notification replaces; undefined: it can be dropped. */
function kindOf(message: Message): string | undefined {
  const { method, params = {} } = message as { method: string; params?: Record<string, unknown> }
  const meta = params._meta as Record<string, unknown> | undefined
  const key = KEYS[method]
  if (key === undefined) return undefined
  const isPart = meta?.[META.partial] !== undefined
  return JSON.stringify([method, key === '' ? null : params[key], meta?.[META.subscriptionId], isPart])
}

/** The member that distinguishes notifications of one method. */
const KEYS: Readonly<Record<string, string>> = {
  'notifications/progress': 'progressToken',
  'notifications/resources/updated': 'uri',
  'notifications/tasks': 'taskId',
  'notifications/cancelled': 'requestId',
  'notifications/tools/list_changed': '',
  'notifications/prompts/list_changed': '',
  'notifications/resources/list_changed': '',
  'notifications/subscriptions/acknowledged': '',
}
