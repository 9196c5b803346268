/**
 * The requests that an upstream is at work on, and whose a word of it is that names none of them. What cannot be told for certain is
 * nobody's: one client's question must never reach another.
 */
import type { Flight } from './flight.ts'

export class Flights {
  readonly #all = new Set<Flight>()

  get size(): number {
    return this.#all.size
  }

  add(flight: Flight): void {
    this.#all.add(flight)
  }

  delete(flight: Flight): void {
    this.#all.delete(flight)
  }

  /** The only one; of several of one client the latest; undefined where there is none, or several clients have some. */
  owner(): Flight | undefined {
    let latest: Flight | undefined
    for (const flight of this.#all) {
      if (latest !== undefined && latest.scope.session !== flight.scope.session) return undefined
      latest = flight
    }
    return latest
  }
}
