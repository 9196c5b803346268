/**
 * Counts what may be guessing: wrong passphrases and links, by user and by address. Further attempts are refused for some minutes, right or
 * wrong, and whether or not there is such a user. One address cannot lock a user out of others; many addresses together can, for minutes.
 */
import { ToolError } from '../../protocol/errors.ts'

const WINDOW_MS = 5 * 60_000
/** Wrong attempts within the window. */
export const ATTEMPT_LIMITS = { pair: 5, address: 20, user: 50 } as const
/** Of each kind. The oldest are forgotten first. */
const MAX_KEPT = 10_000

interface Count {
  wrong: number
  readonly since: number
}

export class Attempts {
  readonly #now: () => number
  readonly #counts = {
    pair: new Map<string, Count>(),
    address: new Map<string, Count>(),
    user: new Map<string, Count>(),
  }

  /** `now` is for tests. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Counts an attempt before it is judged, so that many at once are no way around. Throws ApiLimitExceeded. */
  begin(user: string, address: string): void {
    const names = namesOf(user, address)
    for (const kind of KINDS) {
      const { wrong } = this.#countOf(kind, names[kind])
      if (wrong >= ATTEMPT_LIMITS[kind])
        throw ToolError.of('ApiLimitExceeded', 'Too many attempts. Wait some minutes, and try again.')
    }
    for (const kind of KINDS) this.#countOf(kind, names[kind]).wrong++
  }

  /** It was right. */
  succeed(user: string, address: string): void {
    const names = namesOf(user, address)
    this.#counts.pair.delete(names.pair)
    for (const kind of ['address', 'user'] as const) this.#countOf(kind, names[kind]).wrong--
  }

  #countOf(kind: keyof typeof ATTEMPT_LIMITS, name: string): Count {
    const counts = this.#counts[kind]
    const now = this.#now()
    const known = counts.get(name)
    if (known !== undefined && now - known.since < WINDOW_MS) return known
    const fresh = { wrong: 0, since: now }
    setNewest(counts, name, fresh)
    return fresh
  }
}

const KINDS = ['pair', 'address', 'user'] as const

const namesOf = (user: string, address: string) => {
  const name = user.slice(0, 100).toLowerCase()
  return { pair: `${address} ${name}`, address, user: name }
}

/** How often an address may do something, in a minute. */
export class AddressLimit {
  readonly #most: number
  readonly #counts = new Map<string, { done: number; readonly since: number }>()

  constructor(most: number) {
    this.#most = most
  }

  take(address: string): boolean {
    const now = performance.now()
    const known = this.#counts.get(address)
    if (known !== undefined && now - known.since <= MINUTE_MS) return ++known.done <= this.#most
    setNewest(this.#counts, address, { done: 1, since: now })
    return true
  }
}

const MINUTE_MS = 60_000

/** The oldest makes room, so that a flood of addresses frees no address that was counted meanwhile. */
function setNewest<Value>(counts: Map<string, Value>, name: string, value: Value): void {
  counts.delete(name)
  const [oldest] = counts.keys()
  if (counts.size >= MAX_KEPT && oldest !== undefined) counts.delete(oldest)
  counts.set(name, value)
}
