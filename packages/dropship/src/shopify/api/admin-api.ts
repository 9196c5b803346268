/**
 * The client of Shopify's Admin API. Reads are retried on network faults, 5xx and throttling. Writes are retried only where Shopify
 * reports that nothing was done (throttling) or where repeating them changes nothing. The token leaves this file in one header only.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { createAdminApiClient } from '@shopify/admin-api-client'
import {
  errorForFault,
  errorForStatus,
  type GraphQLFault,
  type UserError,
  unknownOutcomeError,
  unreachableError,
} from './errors.ts'
import { type QueryCost, RateLimiter, rateLimitError, type ThrottleStatus } from './rate-limiter.ts'
import type { ShopifySettings } from './settings.ts'

export type Variables = Readonly<Record<string, unknown>>

export interface AdminApi {
  read<T>(document: string, variables?: Variables): Promise<T>
  /** `safe`: happening twice is the same as once. `once`: a lost response is an error that `isUnknownOutcome` recognises. */
  write<T>(document: string, variables: Variables, repeat: 'safe' | 'once'): Promise<T>
  /** how many writes this client has sent */
  readonly writes: number
}

/** Runs a mutation of one field and returns that field's payload. */
export async function mutate<Payload = object>(
  admin: AdminApi,
  document: string,
  variables: Variables,
  repeat: 'safe' | 'once',
): Promise<Payload & { readonly userErrors: readonly UserError[] }> {
  const data = await admin.write<object>(document, variables, repeat)
  return Object.values(data)[0]
}

export interface RetryPolicy {
  /** the first pause before a retry; each further one is up to twice as long */
  readonly pause_ms: number
  /** limit for a whole call with its pauses */
  readonly total_ms: number
  readonly tries: number
}

/** Fits into the 30 s that a tool call may take. */
const RETRY: RetryPolicy = { pause_ms: 250, total_ms: 25_000, tries: 5 }
const MAX_PAUSE_MS = 4000
const REQUEST_MS = 10_000

type Client = ReturnType<typeof createAdminApiClient>
type Answer = Awaited<ReturnType<Client['request']>>

type Outcome =
  | { readonly kind: 'data'; readonly data: unknown }
  /** not executed; worth another try after this time */
  | { readonly kind: 'throttled'; readonly wait: number }
  /** it may have been executed, unless `never` */
  | { readonly kind: 'fault'; readonly why: string; readonly never: boolean }

export async function openAdminApi(settings: ShopifySettings, retry: Partial<RetryPolicy> = {}): Promise<AdminApi> {
  const { createAdminApiClient } = await import('@shopify/admin-api-client')
  const { origin, token, apiVersion } = settings
  const client = createAdminApiClient({
    storeDomain: origin,
    apiVersion,
    accessToken: token,
    // Retries are decided here, because only this file knows what may be repeated.
    retries: 0,
    customFetchApi: fetchFrom(origin),
    // Without a logger the client writes to the console.
    logger: () => undefined,
  })
  return new Connection(client, token, { ...RETRY, ...retry })
}

/** The client insists on https. A shop on this machine is reached over http. */
function fetchFrom(origin: string): (url: string, init?: object) => Promise<Response> {
  return async (url, init) => {
    const { pathname } = new URL(url)
    try {
      return await fetch(origin + pathname, { ...init, redirect: 'error', signal: AbortSignal.timeout(REQUEST_MS) })
    } catch (thrown) {
      throw new Error(nameOf(thrown))
    }
  }
}

/** The error code without the text around it, which could hold the token. */
function nameOf(thrown: unknown): string {
  const { name, cause } = thrown as Error
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : name
}

class Connection implements AdminApi {
  readonly #client: Client
  readonly #token: string
  readonly #retry: RetryPolicy
  readonly #limiter = new RateLimiter()
  #writes = 0

  constructor(client: Client, token: string, retry: RetryPolicy) {
    this.#client = client
    this.#token = token
    this.#retry = retry
  }

  get writes(): number {
    return this.#writes
  }

  read<T>(document: string, variables: Variables = {}): Promise<T> {
    return this.#send<T>(document, variables, 'safe')
  }

  async write<T>(document: string, variables: Variables, repeat: 'safe' | 'once'): Promise<T> {
    try {
      return await this.#send<T>(document, variables, repeat)
    } finally {
      this.#writes++
    }
  }

  async #send<T>(document: string, variables: Variables, repeat: 'safe' | 'once'): Promise<T> {
    const { pause_ms, total_ms, tries } = this.#retry
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
      // Full jitter: calls that failed together do not retry together.
      const pause = Math.random() * Math.min(MAX_PAUSE_MS, pause_ms * 2 ** failed)
      if (failed >= tries || performance.now() + pause > deadline) throw unreachableError(outcome.why, MAX_PAUSE_MS)
      await sleep(pause)
    }
  }

  async #attempt(document: string, variables: Variables, deadline: number): Promise<Outcome> {
    // The cost of a query depends on its page size.
    const kind = `${variables.first ?? ''} ${document}`
    const turn = await this.#limiter.acquire(kind, deadline)
    let cost: QueryCost | undefined
    try {
      const answer = await this.#client.request(document, { variables: { ...variables } })
      cost = costIn(answer)
      return await this.#outcomeOf(answer, cost)
    } finally {
      this.#limiter.release(kind, turn, cost)
    }
  }

  async #outcomeOf({ data, errors }: Answer, cost: QueryCost | undefined): Promise<Outcome> {
    if (errors === undefined) return { kind: 'data', data }
    const { networkStatusCode: status, response, graphQLErrors: faults = [] } = errors
    if (status === undefined) {
      const why = this.#withoutToken(errors.message ?? 'no response')
      return { kind: 'fault', why, never: /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(why) }
    }
    if (status !== 200) return this.#statusOutcome(status, response)
    const throttled = (faults as GraphQLFault[]).find(({ extensions }) => extensions?.code === 'THROTTLED')
    if (throttled !== undefined) return { kind: 'throttled', wait: waitFor(cost) }
    const [fault] = faults as GraphQLFault[]
    if (fault === undefined || PASSING.has(fault.extensions?.code ?? '')) {
      return {
        kind: 'fault',
        why: fault === undefined ? 'the response was not JSON' : 'an internal error',
        never: false,
      }
    }
    throw errorForFault({ ...fault, message: this.#withoutToken(fault.message) })
  }

  async #statusOutcome(status: number, response: Response | undefined): Promise<Outcome> {
    // An unread body keeps its socket open.
    if (response?.bodyUsed === false) await response.body?.cancel()
    const fatal = errorForStatus(status)
    if (fatal !== undefined) throw fatal
    if (status !== 429) return { kind: 'fault', why: `HTTP ${status}`, never: false }
    const seconds = Number(response?.headers.get('retry-after') ?? 1)
    return { kind: 'throttled', wait: Math.ceil((Number.isFinite(seconds) && seconds >= 0 ? seconds : 1) * 1000) }
  }

  #withoutToken(text: string): string {
    return text.replaceAll(this.#token, '[secret]')
  }
}

/** Worth a retry: Shopify failed, or another request with the same key is still running. */
const PASSING = new Set(['INTERNAL_SERVER_ERROR', 'IDEMPOTENCY_CONCURRENT_REQUEST'])

function costIn({ extensions }: Answer): QueryCost | undefined {
  const reported = extensions as { cost?: { requestedQueryCost: number; throttleStatus: ThrottleStatus } } | undefined
  return reported?.cost && { cost: reported.cost.requestedQueryCost, status: reported.cost.throttleStatus }
}

/** The time until the rate limit allows the call. */
function waitFor(reported: QueryCost | undefined): number {
  if (reported === undefined) return 1000
  const { cost, status } = reported
  const lacking = Math.max(0, Math.min(cost, status.maximumAvailable) - status.currentlyAvailable)
  return Math.ceil((lacking / status.restoreRate) * 1000) + Math.floor(Math.random() * 50)
}
