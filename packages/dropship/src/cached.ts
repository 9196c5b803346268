/** The value of a key, computed once unless it is undefined. A full cache is emptied. */
export function cached<Key, Value, Found extends Value | undefined>(
  cache: Map<Key, Value>,
  key: Key,
  compute: (key: Key) => Found,
  maxSize = Number.POSITIVE_INFINITY,
): Value | Found {
  const found = cache.get(key)
  if (found !== undefined) return found
  const value = compute(key)
  if (value === undefined) return value
  if (cache.size >= maxSize) cache.clear()
  cache.set(key, value)
  return value
}
