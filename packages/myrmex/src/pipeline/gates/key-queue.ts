/**
 * Calls of this process that wait for the same idempotency key. Only the first of them looks whether the key is free; the others wait
 * for it without any work, and follow in the order in which they came.
 */
import type { ToolError } from '../../protocol/errors.ts'
import type { RequestScope } from '../request-scope.ts'

export class KeyQueue {
  /** the end of the last call in the queue, by key */
  readonly #last = new Map<string, Promise<void>>()

  /** Waits until all earlier calls have left the queue. Returns the function that leaves it. Throws if the call is interrupted. */
  async enter(key: string, scope: RequestScope): Promise<() => void> {
    const before = this.#last.get(key)
    const own = Promise.withResolvers<void>()
    this.#last.set(key, own.promise)
    const leave = (): void => {
      if (this.#last.get(key) === own.promise) this.#last.delete(key)
      own.resolve()
    }
    if (before === undefined) return leave
    const stopped = await firstOf(before, scope)
    if (stopped === undefined) return leave
    // Those behind it still wait for those before it.
    void before.then(leave)
    throw stopped
  }
}

/** Why the request was interrupted, if that comes first. */
function firstOf(before: Promise<void>, scope: RequestScope): Promise<ToolError | undefined> {
  return new Promise((resolve) => {
    const listener = { handleEvent: () => resolve(scope.interrupted) }
    if (scope.interrupted !== undefined) return resolve(scope.interrupted)
    scope.addEventListener('abort', listener)
    void before.then(() => {
      scope.removeEventListener('abort', listener)
      resolve(scope.interrupted)
    })
  })
}
