/**
 * The operator's API, mounted on the port of the protocol: everything under /api, for whoever holds the operator's token, which
 * is taken from the Authorization header and nowhere else. What serves it is loaded with the first request that has the token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { operatorName } from '../../ledger/decisions/operator-name.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { log } from '../../server/log.ts'
import type { Server } from '../../server/server.ts'
import type { Pages } from '../../transport/http/pages.ts'
import { ApiError, errorDetailOf, httpStatusOf } from './api-error.ts'
import type { OperatorApp } from './app.ts'
import type { HostView } from './host-view.ts'
import { readBody, sendWebResponse, toWebRequest } from './node-adapter.ts'
import { assertOperatorToken, OperatorTokenCheck } from './operator-token.ts'

export interface OperatorApiOptions {
  readonly server: Server
  readonly ledger: Ledger
  /** the servers behind this one; without it there are none */
  readonly host?: HostView
  readonly token: string
  /** of those who may call tools, where they have one: it must not be the operator's */
  readonly callerToken?: string | undefined
  /** under which name decisions are kept; `api:` and the user this runs as unless told */
  readonly decidedBy?: string
}

export interface OperatorApi extends Pages {
  /** Ends live streams; the server that is closed does it too. */
  close(): void
}

/** Nothing that an operator sends is larger. */
const MOST_BYTES = 64 * 1024
const METHODS = ['GET', 'POST']

export function operatorApi(options: OperatorApiOptions): OperatorApi {
  const { server, token, callerToken } = options
  assertOperatorToken(token, { token: callerToken, policy: server.pipeline.policy })
  const refused = server.measures.counter(
    'myrmex_api_refused_total',
    "Requests to the operator's API without its token.",
  )
  const check = new OperatorTokenCheck(token, (count) =>
    log.warn({ count }, "somebody came to the operator's API with a wrong token"),
  )
  const parts = { ...options, decidedBy: options.decidedBy ?? `api:${operatorName()}`, startedAt: Date.now() }
  let app: Promise<OperatorApp> | undefined

  const admit = (request: IncomingMessage): void => {
    const standing = check.check(request)
    if (standing === 'operator') return
    refused.inc()
    if (standing === 'too many') throw new ApiError(429, 'AuthenticationError', 'Too many wrong tokens. Wait a minute.')
    throw ToolError.of('AuthenticationError', NO_TOKEN)
  }
  const accept = (request: IncomingMessage): Promise<Buffer | undefined> => {
    const { method = 'GET', headers } = request
    if (!METHODS.includes(method)) throw new ApiError(405, 'ValidationError', `Use ${METHODS.join(', ')}.`)
    if (method !== 'POST') return Promise.resolve(undefined)
    // A page of another site can send a form or text/plain without asking; application/json it cannot.
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
      throw new ApiError(415, 'ValidationError', 'Content-Type must be application/json.')
    return readBody(request, MOST_BYTES).then((body) => {
      if (body === undefined) throw new ApiError(413, 'ValidationError', `The body is larger than ${MOST_BYTES} bytes.`)
      return body.length === 0 ? Buffer.from('{}') : body
    })
  }
  const close = (): void => void app?.then((opened) => opened.close()).catch(() => {})
  server.onClose(close)

  return {
    has: (path) => path === '/api' || path.startsWith('/api/'),
    async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      let answer: Response
      try {
        admit(request)
        const body = await accept(request)
        app ??= import('./app.ts').then(({ openApp }) => openApp(parts))
        answer = await (await app).fetch(toWebRequest(request, body))
      } catch (thrown) {
        if (!(thrown instanceof ToolError)) throw thrown
        answer = refusal(thrown)
      }
      await sendWebResponse(response, answer)
    },
    close,
  }
}

const NO_TOKEN =
  "The operator's token is needed, as: Authorization: Bearer TOKEN. It is in .myrmex/host/api.json while the host runs, and is " +
  'not the one of callers.'

function refusal(error: ToolError): Response {
  const status = httpStatusOf(error)
  return Response.json(errorDetailOf(error), {
    status,
    headers: {
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="myrmex operator"' }),
      ...(status === 405 && { allow: METHODS.join(', ') }),
      ...(status === 413 && { connection: 'close' }),
      ...(status === 429 && { 'retry-after': '60' }),
    },
  })
}
