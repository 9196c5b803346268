/**
 * The Admin API with its manners: reads are repeated on network faults, 5xx and throttling; writes only where Shopify says that
 * nothing was done (throttling), or where doing it twice is the same as doing it once. The token leaves this file in one header.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { createAdminApiClient } from '@shopify/admin-api-client'
import { errorForFault, errorForStatus, type GraphQLFault, unknownOutcomeError, unreachableError } from './errors.ts'
import { RateLimiter, rateLimitError, type ThrottleStatus } from './rate-limiter.ts'
import type { ShopifySettings } from './settings.ts'

export type Variables = Readonly<Record<string, unknown>>

export interface AdminApi {
  read<T>(document: string, variables?: Variables): Promise<T>
  /** `safe`: happening twice is the same as once. `once`: a lost answer is an error that `isUnsure` knows. */
  write<T>(document: string, variables: Variables, repeat: 'safe' | 'once'): Promise<T>
  /** grows with every write from here */
  readonly writes: number
}

export interface RetryPolicy {
  /** the first pause before a retry; each further one is up to twice as long */
  readonly pause_ms: number
  /** all of a call, with its pauses */
  readonly total_ms: number
  readonly tries: number
}

/** Within the 30 s that a tool has. */
const PATIENCE: RetryPolicy = { pause_ms: 250, total_ms: 25_000, tries: 5 }
const LONGEST_PAUSE_MS = 4000
const REQUEST_MS = 10_000

type Client = ReturnType<typeof createAdminApiClient>
type Answer = Awaited<ReturnType<Client['request']>>

type Outcome =
  | { readonly kind: 'data'; readonly data: unknown }
  /** not executed; it may be after this long */
  | { readonly kind: 'throttled'; readonly wait: number }
  /** whether it was executed is not known, unless `never` */
  | { readonly kind: 'fault'; readonly why: string; readonly never: boolean }

export async function openAdminApi(settings: ShopifySettings, patience: Partial<RetryPolicy> = {}): Promise<AdminApi> {
  const { createAdminApiClient } = await import('@shopify/admin-api-client')
  const { origin, token, apiVersion } = settings
  const client = createAdminApiClient({
    storeDomain: origin,
    apiVersion,
    accessToken: token,
    // Retrying is decided here, where it is known what may be repeated.
    retries: 0,
    customFetchApi: reaching(origin),
    // Without one the client writes to the console.
    logger: () => undefined,
  })
  return new Connection(client, token, { ...PATIENCE, ...patience })
}

/** The client insists on https; a shop on this machine is reached without. */
function reaching(origin: string): (url: string, init?: object) => Promise<Response> {
  return async (url, init) => {
    const { pathname } = new URL(url)
    try {
      return await fetch(origin + pathname, { ...init, redirect: 'error', signal: AbortSignal.timeout(REQUEST_MS) })
    } catch (thrown) {
      throw new Error(nameOf(thrown))
    }
  }
}

/** The code of what went wrong, without the text around it. */
function nameOf(thrown: unknown): string {
  const { name, cause } = thrown as Error
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : name
}

class Connection implements AdminApi {
  readonly #client: Client
  readonly #token: string
  readonly #patience: RetryPolicy
  readonly #bucket = new RateLimiter()
  #writes = 0

  constructor(client: Client, token: string, patience: RetryPolicy) {
    this.#client = client
    this.#token = token
    this.#patience = patience
  }

  get writes(): number {
    return this.#writes
  }

  read<T>(document: string, variables: Variables = {}): Promise<T> {
    return this.#carry<T>(document, variables, 'safe')
  }

  async write<T>(document: string, variables: Variables, repeat: 'safe' | 'once'): Promise<T> {
    try {
      return await this.#carry<T>(document, variables, repeat)
    } finally {
      this.#writes++
    }
  }

  async #carry<T>(document: string, variables: Variables, repeat: 'safe' | 'once'): Promise<T> {
    const { pause_ms, total_ms, tries } = this.#patience
    const deadline = performance.now() + total_ms
    for (let failed = 0; ; ) {
      const outcome = await this.#attempt(document, variables, deadline)
      if (outcome.kind === 'data') return outcome.data as T
      if (outcome.kind === 'throttled') {
        if (performance.now() + outcome.wait > deadline) throw rateLimitError(outcome.wait)
        await sleep(outcome.wait)
        continue
      }
      if (repeat === 'once' && !outcome.never) throw unknownOutcomeError(outcome.why)
      failed++
      // Full jitter: those that failed together do not come back together.
      const pause = Math.random() * Math.min(LONGEST_PAUSE_MS, pause_ms * 2 ** failed)
      if (failed >= tries || performance.now() + pause > deadline) throw unreachableError(outcome.why, LONGEST_PAUSE_MS)
      await sleep(pause)
    }
  }

  async #attempt(document: string, variables: Variables, deadline: number): Promise<Outcome> {
    // What a query costs depends on the size of its pages.
    const kind = `${variables.first ?? ''} ${document}`
    const place = await this.#bucket.acquire(kind, deadline)
    let said: ReturnType<typeof costIn>
    try {
      const answer = await this.#client.request(document, { variables: { ...variables } })
      said = costIn(answer)
      return await this.#outcomeOf(answer, said)
    } finally {
      this.#bucket.release(kind, place, said)
    }
  }

  async #outcomeOf({ data, errors }: Answer, said: ReturnType<typeof costIn>): Promise<Outcome> {
    if (errors === undefined) return { kind: 'data', data }
    const { networkStatusCode: status, response, graphQLErrors: faults = [] } = errors
    if (status === undefined) {
      const why = this.#without(errors.message ?? 'no answer')
      return { kind: 'fault', why, never: /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(why) }
    }
    if (status !== 200) return this.#statusOutcome(status, response)
    const throttled = (faults as GraphQLFault[]).find(({ extensions }) => extensions?.code === 'THROTTLED')
    if (throttled !== undefined) return { kind: 'throttled', wait: waitFor(said) }
    const [fault] = faults as GraphQLFault[]
    if (fault === undefined || PASSING.has(fault.extensions?.code ?? '')) {
      return {
        kind: 'fault',
        why: fault === undefined ? 'an answer that is no JSON' : 'an internal error',
        never: false,
      }
    }
    throw errorForFault({ ...fault, message: this.#without(fault.message) })
  }

  async #statusOutcome(status: number, response: Response | undefined): Promise<Outcome> {
    // An unread body keeps its socket.
    if (response?.bodyUsed === false) await response.body?.cancel()
    const fatal = errorForStatus(status)
    if (fatal !== undefined) throw fatal
    if (status !== 429) return { kind: 'fault', why: `HTTP ${status}`, never: false }
    const seconds = Number(response?.headers.get('retry-after') ?? 1)
    return { kind: 'throttled', wait: Math.ceil((Number.isFinite(seconds) && seconds >= 0 ? seconds : 1) * 1000) }
  }

  #without(text: string): string {
    return text.replaceAll(this.#token, '[secret]')
  }
}

/** It is worth trying again: Shopify failed, or another request with the same key is under way. */
const PASSING = new Set(['INTERNAL_SERVER_ERROR', 'IDEMPOTENCY_CONCURRENT_REQUEST'])

interface Cost {
  readonly requestedQueryCost: number
  readonly throttleStatus: ThrottleStatus
}

function costIn({ extensions }: Answer): { readonly cost: number; readonly status: ThrottleStatus } | undefined {
  const cost = (extensions as { cost?: Cost } | undefined)?.cost
  return cost === undefined ? undefined : { cost: cost.requestedQueryCost, status: cost.throttleStatus }
}

/** As long as the bucket needs to hold what the call asks for. */
function waitFor(said: ReturnType<typeof costIn>): number {
  if (said === undefined) return 1000
  const { cost, status } = said
  const lacking = Math.max(0, Math.min(cost, status.maximumAvailable) - status.currentlyAvailable)
  return Math.ceil((lacking / status.restoreRate) * 1000) + Math.floor(Math.random() * 50)
}
