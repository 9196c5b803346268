/** Promises by key that either side may name first: whoever waits and whoever fulfils need not agree on an order. */

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
