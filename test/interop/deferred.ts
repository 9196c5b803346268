/** Promises by key that either side may name first: waiting and fulfilling may happen in any order. */

export interface Deferred<T> {
  of(key: string): PromiseWithResolvers<T>
}

export function deferred<T>(): Deferred<T> {
  const known = new Map<string, PromiseWithResolvers<T>>()
  return {
    of(key) {
      const one = known.get(key) ?? Promise.withResolvers<T>()
      known.set(key, one)
      return one
    },
  }
}
