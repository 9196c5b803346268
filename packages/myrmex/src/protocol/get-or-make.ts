/** A map or a weak map. */
interface Cache<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value of a key, made and stored on first use. (`Map.prototype.getOrInsertComputed` is not in Node 24.) */
export function getOrMake<K, V>(cache: Cache<K, V>, key: K, make: (key: K) => V): V {
  let value = cache.get(key)
  if (value === undefined) {
    value = make(key)
    cache.set(key, value)
  }
  return value
}
