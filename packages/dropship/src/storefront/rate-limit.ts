/** Rate limits in memory, as token buckets: per address and in total. The number of addresses kept is limited. */
import { isIPv6 } from 'node:net'

export interface Rate {
  readonly each: number
  readonly all: number
  readonly per_ms: number
}

interface Bucket {
  tokens: number
  at: number
}

const MAX_ADDRESSES = 10_000

export class RateLimit {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #all: Bucket
  readonly #each = new Map<string, Bucket>()

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate
    this.#now = now
    this.#all = { tokens: rate.all, at: now() }
  }

  /** 0: allowed. Otherwise the milliseconds to wait, and no token is taken. */
  take(address: string): number {
    const { each, all } = this.#rate
    const mine = this.#bucketOf(address)
    this.#fill(mine, each)
    this.#fill(this.#all, all)
    const wait = Math.max(this.#until(mine, each), this.#until(this.#all, all))
    if (wait > 0) return wait
    mine.tokens--
    this.#all.tokens--
    return 0
  }

  #bucketOf(address: string): Bucket {
    const key = network(address)
    const bucket = this.#each.get(key) ?? { tokens: this.#rate.each, at: this.#now() }
    // Moved to the end, so that the first entry is the least recently used.
    this.#each.delete(key)
    this.#each.set(key, bucket)
    if (this.#each.size > MAX_ADDRESSES) this.#each.delete(this.#each.keys().next().value as string)
    return bucket
  }

  #fill(bucket: Bucket, capacity: number): void {
    const now = this.#now()
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) * capacity) / this.#rate.per_ms)
    bucket.at = now
  }

  #until(bucket: Bucket, capacity: number): number {
    return bucket.tokens >= 1 ? 0 : ((1 - bucket.tokens) * this.#rate.per_ms) / capacity
  }
}

/** A client with one IPv6 address usually has the whole /64 network. */
function network(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const first = head.split(':')
  const full = tail === undefined ? first : [...first, ...Array(8 - first.length - tail.split(':').length).fill('0')]
  return full.slice(0, 4).join(':')
}
