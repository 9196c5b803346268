/** Who may speak to this port: Host and Origin against DNS rebinding, a bearer token where one is set. */
import type { IncomingMessage } from 'node:http'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { LOCAL, type Principal } from '../../tool/context.ts'

export interface GuardOptions {
  host: string
  /** required for every address but loopback */
  token?: string
  /** host names (without port) this server answers to, besides loopback's */
  allowedHosts?: readonly string[]
  /** whole origins, such as https://console.example */
  allowedOrigins?: readonly string[]
}

export type Verdict = { principal: Principal } | { status: 401 | 403; message: string }

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])

const isLoopback = (host: string): boolean => LOOPBACK.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host)

const digest = (text: string): Buffer => crypto.hash('sha256', text, 'buffer')

export function guard(options: GuardOptions): (request: IncomingMessage) => Verdict {
  const { host, token } = options
  const local = isLoopback(host)
  if (!local && (token === undefined || token === '')) {
    throw new ToolError(
      'RegistrationError',
      `${host} can be reached from other machines: set a bearer token, or listen on 127.0.0.1`,
    )
  }
  const hosts = new Set([...LOOPBACK, ...(options.allowedHosts ?? [])])
  const origins = new Set(options.allowedOrigins ?? [])
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`)
  const granted: Verdict = {
    principal:
      token === undefined ? LOCAL : { id: `bearer:${digest(token).toString('hex').slice(0, 12)}`, kind: 'bearer' },
  }
  const checkHost = local || options.allowedHosts !== undefined

  return ({ headers }) => {
    if (checkHost && !hosts.has(hostName(headers.host)))
      return refused(`Host ${headers.host ?? '(none)'} is not served here`)
    const { origin } = headers
    if (origin !== undefined && !origins.has(origin) && !(local && isLoopbackOrigin(origin))) {
      return refused(`Origin ${origin} is not allowed`)
    }
    if (expected === undefined) return granted
    const given = headers.authorization
    // Digests have one length, so the comparison says nothing about the token's.
    if (given === undefined || !crypto.timingSafeEqual(digest(given), expected)) {
      return { status: 401, message: 'A valid bearer token is required in the Authorization header' }
    }
    return granted
  }
}

const refused = (message: string): Verdict => ({ status: 403, message })

function hostName(host: string | undefined): string {
  if (host === undefined) return ''
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  return (end > 0 ? host.slice(0, end) : host).toLowerCase()
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  return LOOPBACK.has(new URL(origin).hostname)
}
