/**
 * A Shopify store on this machine, for tests: a real HTTP server that answers the Admin API's GraphQL endpoint with its token check,
 * its cost and its leaky bucket, and that fails on demand in the ways a network and a busy platform do.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema, execute, type GraphQLSchema, type OperationDefinitionNode, parse, validate } from 'graphql'
import { catalogueMutations, catalogueQueries } from './catalogue.ts'
import { costOf } from './query-cost.ts'
import { salesMutations, salesQueries } from './sales.ts'
import { SCHEMA } from './schema.ts'
import { Store } from './shopify-store.ts'

/** `lost`: the work is done and the answer never arrives. */
export type Fault = '401' | '403' | '429' | '500' | '503' | 'reset' | 'lost' | 'slow' | 'throttled' | 'denied' | 'html'

export interface ShopifyServer {
  readonly url: string
  readonly token: string
  readonly store: Store
  /** names of the operations that were executed, in order */
  readonly executed: string[]
  /** how often it said THROTTLED because its bucket was empty */
  readonly throttled: () => number
  /** the next requests for this operation (any, unless said) fail, one each */
  fail(fault: Fault, times?: number, operation?: string): void
  close(): Promise<void>
}

export interface ShopifySettings {
  /** points the bucket holds, and gets back a second; Shopify's plans have 100 to 2000 a second */
  maximum?: number
  restoreRate?: number
  token?: string
  apiVersion?: string
}

/** A single query may not cost more, on any plan. */
const MOST_A_QUERY = 1000
const SLOW_MS = 150

interface Status {
  maximumAvailable: number
  currentlyAvailable: number
  restoreRate: number
}

class LeakyBucket {
  readonly #maximum: number
  readonly #rate: number
  #available: number
  #at = performance.now()
  refused = 0

  constructor(maximum: number, rate: number) {
    this.#maximum = maximum
    this.#rate = rate
    this.#available = maximum
  }

  status(): Status {
    const now = performance.now()
    this.#available = Math.min(this.#maximum, this.#available + ((now - this.#at) / 1000) * this.#rate)
    this.#at = now
    return { maximumAvailable: this.#maximum, currentlyAvailable: Math.floor(this.#available), restoreRate: this.#rate }
  }

  take(cost: number): boolean {
    if (this.status().currentlyAvailable < cost) {
      this.refused++
      return false
    }
    this.#available -= cost
    return true
  }

  giveBack(cost: number): void {
    this.#available = Math.min(this.#maximum, this.#available + cost)
  }

  empty(): void {
    this.#available = 0
    this.#at = performance.now()
  }
}

export async function serveShopify(shape: ShopifySettings = {}): Promise<ShopifyServer> {
  const {
    maximum = 2000,
    restoreRate = 1000,
    token = 'shpat_0123456789abcdef0123456789abcdef',
    apiVersion = '2026-10',
  } = shape
  const schema = buildSchema(SCHEMA)
  const store = new Store()
  const bucket = new LeakyBucket(maximum, restoreRate)
  const faults: { fault: Fault; operation: string | undefined }[] = []
  const executed: string[] = []
  const path = `/admin/api/${apiVersion}/graphql.json`
  const root = {
    shop: {
      id: 'gid://shopify/Shop/1',
      name: 'Test',
      currencyCode: store.currency,
      ianaTimezone: 'Etc/UTC',
      myshopifyDomain: 'test.myshopify.com',
    },
    ...catalogueQueries(store),
    ...salesQueries(store),
    ...catalogueMutations(store),
    ...salesMutations(store),
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request)
    if (request.method !== 'POST' || request.url !== path) return json(response, 404, { errors: 'Not Found' })
    if (request.headers['x-shopify-access-token'] !== token)
      return json(response, 401, {
        errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
      })
    const { query, variables = {} } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> }
    const operation = /(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? ''
    const at = faults.findIndex((one) => one.operation === undefined || one.operation === operation)
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault
    if (
      fault !== undefined &&
      (await isFailed(fault, response, bucket, () => run(schema, root, query, variables, bucket, executed)))
    )
      return
    json(response, 200, await run(schema, root, query, variables, bucket, executed))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => json(response, 500, { errors: error.message }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    store,
    executed,
    throttled: () => bucket.refused,
    fail: (fault, times = 1, operation = undefined) => {
      for (let count = 0; count < times; count++) faults.push({ fault, operation })
    },
    close: () => closed(server),
  }
}

async function isFailed(
  fault: Fault,
  response: ServerResponse,
  bucket: LeakyBucket,
  act: () => Promise<unknown>,
): Promise<boolean> {
  switch (fault) {
    case 'lost':
      await act()
      response.destroy()
      return true
    case 'reset':
      response.destroy()
      return true
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      return false
    case 'throttled':
      bucket.empty()
      return false
    case 'denied':
      json(response, 200, {
        data: null,
        errors: [
          {
            message: 'Access denied for orders field. Required access: `read_orders` access scope.',
            extensions: { code: 'ACCESS_DENIED' },
          },
        ],
      })
      return true
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Down for maintenance</h1>')
      return true
    case '429':
      response
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '0.05' })
        .end(JSON.stringify({ errors: 'Too many requests' }))
      return true
    default:
      json(response, Number(fault), {
        errors:
          fault === '401'
            ? '[API] Invalid API key or access token (unrecognized login or wrong password)'
            : 'Unavailable',
      })
      return true
  }
}

async function run(
  schema: GraphQLSchema,
  root: object,
  query: string,
  variables: Record<string, unknown>,
  bucket: LeakyBucket,
  executed: string[],
): Promise<unknown> {
  const document = parse(query)
  const errors = validate(schema, document)
  if (errors.length > 0)
    return { errors: errors.map(({ message }) => ({ message, extensions: { code: 'undefinedField' } })) }
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
  )
  if (operation === undefined) return { errors: [{ message: 'No operation' }] }
  const requested = costOf(schema, operation, variables)
  if (requested > MOST_A_QUERY) {
    const message = `Query cost is ${requested}, which exceeds the single query max cost limit (${MOST_A_QUERY}).`
    return { errors: [{ message, extensions: { code: 'MAX_COST_EXCEEDED', cost: requested, maxCost: MOST_A_QUERY } }] }
  }
  const cost = (actual: number | null) => ({
    cost: { requestedQueryCost: requested, actualQueryCost: actual, throttleStatus: bucket.status() },
  })
  if (!bucket.take(requested))
    return { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions: cost(null) }
  executed.push(operation.name?.value ?? '')
  const result = await execute({ schema, document, rootValue: root, variableValues: variables })
  const actual =
    result.data === null || result.data === undefined ? requested : costOf(schema, operation, variables, result.data)
  bucket.giveBack(requested - actual)
  return { ...result, extensions: cost(actual) }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function json(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
