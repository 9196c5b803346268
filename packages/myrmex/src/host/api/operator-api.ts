/**
 * The operator's API under /api, on the same port as MCP. Every request needs the operator's token in the Authorization header, or
 * that of a session if the ledger is locked (access.ts). The app itself is loaded by the first request that may use it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { operatorName } from '../../ledger/decisions/operator-name.ts'
import { type Decider, deciderName } from '../../ledger/journal/decision.ts'
import { isNestedDeeperThan } from '../../protocol/bounded-json.ts'
import { ToolError } from '../../protocol/errors.ts'
import { inTurn } from '../../protocol/in-turn.ts'
import { log } from '../../server/log.ts'
import type { Pages } from '../../transport/http/pages.ts'
import { type ApiAccess, apiAccess } from './access.ts'
import { ApiError, errorResponse } from './api-error.ts'
import type { OperatorApp } from './app.ts'
import { readBody, sendWebResponse, toWebRequest } from './node-adapter.ts'
import { OperatorSessions } from './operator-session.ts'
import { assertOperatorToken } from './operator-token.ts'
import type { RouteContext } from './route-context.ts'
import { SessionChallenges } from './session-challenge.ts'

export interface OperatorApiOptions
  extends Pick<RouteContext, 'server' | 'ledger' | 'host' | 'logs' | 'configFile' | 'signInUrl'> {
  readonly token: string
  /** the token for calling tools, which must differ from the operator's */
  readonly callerToken?: string | undefined
  /** recorded with decisions; default: `api:` and the user name */
  readonly decidedBy?: Decider
}

export interface OperatorApi extends Pages {
  /** Ends live streams. Closing the server does the same. */
  close(): void
}

const MAX_BYTES = 64 * 1024
/** Bodies are checked and written recursively. The definitions of tools have the same limit. */
const MAX_LEVELS = 100

export function operatorApi(options: OperatorApiOptions): OperatorApi {
  const { server, token, callerToken } = options
  assertOperatorToken(token, server.pipeline.policy, callerToken)
  const refused = server.measures.counter(
    'myrmex_api_refused_total',
    "Requests to the operator's API without its token.",
  )
  const sessions = new OperatorSessions(options.ledger.lock)
  const access = apiAccess(token, sessions, (count) => log.warn({ count }, "wrong token for the operator's API"))
  const name = options.decidedBy ?? ({ name: `api:${operatorName()}`, from: 'api' } as const)
  const accesses = new WeakMap<Request, ApiAccess>()
  const decidedBy = (request: Request): Decider => {
    const signer = accesses.get(request)?.signer
    if (signer === undefined) return name
    return { name: deciderName(name), from: 'api', signer }
  }
  const mayRead = (request: Request) => accesses.get(request)?.isOpen ?? (() => true)
  const challenges = new SessionChallenges(token)
  const context = { ...options, decidedBy, mayRead, sessions, challenges, edit: inTurn(), startedAt: Date.now() }
  let app: Promise<OperatorApp> | undefined

  const assertAccess = (request: IncomingMessage): ApiAccess => {
    try {
      return access(request)
    } catch (thrown) {
      refused.inc()
      throw thrown
    }
  }
  const readRequest = (request: IncomingMessage): Promise<Buffer | undefined> => {
    const { method = 'GET', headers } = request
    if (method !== 'GET' && method !== 'POST')
      throw new ApiError(405, 'ValidationError', 'Use GET or POST.', { headers: { allow: 'GET, POST' } })
    if (method !== 'POST') return Promise.resolve(undefined)
    // Another site's page can send forms and text/plain across origins, but not application/json.
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
      throw new ApiError(415, 'ValidationError', 'Content-Type must be application/json.')
    return readBody(request, MAX_BYTES).then((body) => {
      if (body === undefined)
        throw new ApiError(413, 'ValidationError', `The body is larger than ${MAX_BYTES} bytes.`, {
          headers: { connection: 'close' },
        })
      if (isNestedDeeperThan(MAX_LEVELS, body.toString()))
        throw ToolError.of(
          'ValidationError',
          `Malformed request: the body is nested more than ${MAX_LEVELS} levels deep.`,
        )
      return body.length === 0 ? Buffer.from('{}') : body
    })
  }
  const close = (): void => void app?.then((opened) => opened.close()).catch(() => {})
  server.onClose(close)

  return {
    hasToken: true,
    has: (path) => path === '/api' || path.startsWith('/api/'),
    async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      let answer: Response
      try {
        const allowed = assertAccess(request)
        const body = await readRequest(request)
        app ??= import('./app.ts').then(({ openApp }) => openApp(context))
        const asked = toWebRequest(request, body)
        accesses.set(asked, allowed)
        answer = await (await app).fetch(asked)
      } catch (thrown) {
        answer = errorResponse(thrown, (unknown) => server.fault(unknown))
      }
      await sendWebResponse(response, answer)
    },
    close,
  }
}
