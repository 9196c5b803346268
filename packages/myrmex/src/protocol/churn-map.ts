/**
 * A Map for what comes and goes all the time. V8 links each table that a Map outgrows to the next. Once the first of them is old, all
 * that ever stood in the others survives every small collection, and with many calls in flight that is every call. So the Map is
 * replaced from time to time.
 */

/** So many may go before the Map does. */
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
    // Whoever copies a large one does so the more seldom.
    if (++this.#gone >= TURNOVER && this.#gone >= this.#map.size) {
      this.#map = new Map(this.#map)
      this.#gone = 0
    }
    return true
  }

  /** Those who are there now, in the order they came: some may be gone before the last of them is looked at. */
  values(): V[] {
    return [...this.#map.values()]
  }
}
