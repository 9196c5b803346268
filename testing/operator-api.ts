/** A real server with the operator's API on a port of its own, and requests to it whose answers must be as OpenAPI says. */
import type { HttpOptions, Ledger, Server } from 'myrmex'
import { listenHttp } from 'myrmex'
import { onTestFinished } from 'vitest'
import { operatorApi } from '../packages/myrmex/src/host/api/operator-api.ts'
import { operatorToken } from '../packages/myrmex/src/host/api/operator-token.ts'
import type { ApiHost } from '../packages/myrmex/src/host/api/route-context.ts'
import { compileSchema, type Schema } from '../packages/myrmex/src/protocol/schema.ts'

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

export interface OperatorClient {
  /** of the API */
  readonly url: string
  readonly origin: string
  readonly token: string
  get(path: string): Promise<ApiAnswer>
  post(path: string, body?: object): Promise<ApiAnswer>
  /** A request that says only what it is asked to. */
  request(path: string, init?: RequestInit): Promise<ApiAnswer>
  /** The same, whose answer must be as the document says. */
  documented(method: string, path: string, init: RequestInit): Promise<ApiAnswer>
  /** The OpenAPI document. */
  document(): Promise<OpenApi>
}

export interface Operation {
  readonly operationId: string
  readonly parameters?: { name: string; in: string }[]
  readonly requestBody?: object
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>
}
export interface OpenApi {
  readonly openapi: string
  readonly security: object[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

export async function serveOperatorApi(
  { server, ledger, host, configFile }: { server: Server; ledger: Ledger; host?: ApiHost; configFile?: string },
  options: HttpOptions = {},
): Promise<OperatorClient> {
  const token = operatorToken({})
  const api = operatorApi({
    server,
    ledger,
    token,
    decidedBy: 'ada',
    ...(host && { host }),
    ...(configFile && { configFile }),
  })
  const listening = await listenHttp(server, { ...options, api, drainMs: 500 })
  onTestFinished(() => listening.close())
  return operatorClient(`http://127.0.0.1:${listening.port}`, token)
}

/** Requests to the API of a host that runs. `origin`: without a path. */
export function operatorClient(origin: string, token: string): OperatorClient {
  const bare = async (path: string, init: RequestInit = {}): Promise<ApiAnswer> => {
    const response = await fetch(`${origin}${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
  }
  let document: Promise<OpenApi> | undefined
  const read = (): Promise<OpenApi> => {
    document ??= bare('/api/openapi.json', { headers: { authorization: `Bearer ${token}` } }).then(({ json }) => json)
    return document
  }
  const documented = async (method: string, path: string, init: RequestInit): Promise<ApiAnswer> => {
    const got = await bare(path, { ...init, method })
    judge(await read(), method, path, got)
    return got
  }
  const asked = (method: string, path: string, init: RequestInit): Promise<ApiAnswer> =>
    documented(method, path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  return {
    url: `${origin}/api`,
    origin,
    token,
    request: bare,
    documented,
    document: read,
    get: (path) => asked('GET', path, {}),
    post: (path, body = {}) =>
      asked('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }
}

const judges = new WeakMap<object, Schema>()

/** Compiled once for each schema of a document. */
function judgeOf({ components }: OpenApi, schema: object): Schema {
  let known = judges.get(schema)
  if (known === undefined) {
    known = compileSchema({ allOf: [schema], components } as never, 'output')
    judges.set(schema, known)
  }
  return known
}

/** What is answered must be documented, and fit what the document says. */
function judge(document: OpenApi, method: string, path: string, { status, json }: ApiAnswer): void {
  const bare = path.split('?')[0] as string
  const paths = Object.keys(document.paths)
  const fits = (one: string): boolean => new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(bare)
  const known = paths.find((one) => one === bare) ?? paths.find(fits)
  if (known === undefined) return
  const schema = document.paths[known]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`${method} ${known} answered ${status}, which is not documented`)
  const judged = judgeOf(document, schema).parse(json)
  if (!judged.success)
    throw new Error(`${method} ${path} answered ${JSON.stringify(json)}: ${JSON.stringify(judged.issues)}`)
}
