/**
 * A Map for short-lived entries. V8 links each table that a Map outgrows to the next. Once the first table is old, all entries of
 * the later ones survive every minor garbage collection; with many calls in flight that is every call. So the Map is replaced
 * from time to time.
 */

/** The number of deletions after which the Map is replaced. */
const TURNOVER = 64

export class ChurnMap<K, V> {
  #map = new Map<K, V>()
  #gone = 0

  get size(): number {
    return this.#map.size
  }

  has(key: K): boolean {
    return this.#map.has(key)
  }

  get(key: K): V | undefined {
    return this.#map.get(key)
  }

  set(key: K, value: V): void {
    this.#map.set(key, value)
  }

  delete(key: K): boolean {
    if (!this.#map.delete(key)) return false
    // A larger map is copied less often.
    if (++this.#gone >= TURNOVER && this.#gone >= this.#map.size) {
      this.#map = new Map(this.#map)
      this.#gone = 0
    }
    return true
  }

  /** A copy, in insertion order: entries may be deleted while it is read. */
  values(): V[] {
    return [...this.#map.values()]
  }
}
