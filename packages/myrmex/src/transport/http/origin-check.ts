/** Checks Host and Origin of every request, against DNS rebinding and against pages of other origins. */
import type { IncomingMessage } from 'node:http'
import { EMPTY, ToolError } from '../../protocol/errors.ts'
import { isLoopback, LOOPBACK_NAMES } from '../../protocol/loopback.ts'
import { clip } from '../../protocol/text.ts'
import { checkedOrigin } from './cors.ts'
import { targetReader } from './forwarded.ts'
import type { GuardOptions } from './guard.ts'
import { hostNameOf, hostNameOfAddress } from './host-header.ts'
import { BAD_FORWARDING, forbidden, type Refusal } from './refusals.ts'

/** Checks Host and Origin only. Returns undefined if the request is accepted. */
export type OriginCheck = (request: IncomingMessage) => Refusal | undefined

/** `ownForms`: accept forms from the server's own pages, whose origin is the requested host. */
export function originCheck(options: GuardOptions, { ownForms = false } = {}): OriginCheck {
  const local = isLoopback(options.host)
  const targetOf = (options.trustProxy ?? []).length > 0 ? targetReader(options.trustProxy) : undefined
  const allowed = (options.allowedHosts ?? []).map(checkedHost)
  const hosts = new Set<string | undefined>([...LOOPBACK_NAMES, hostNameOfAddress(options.host), ...allowed])
  let lastServed: string | undefined
  const isServed = (host: string | undefined): boolean => {
    if (host !== undefined && host === lastServed) return true
    if (!hosts.has(hostNameOf(host))) return false
    lastServed = host
    return true
  }
  const origins = new Set((options.allowedOrigins ?? []).map(checkedOrigin))
  const checkHost = local || options.allowedHosts !== undefined
  const isOurs = (origin: string, host: string | undefined): boolean =>
    origins.has(origin) || (local ? isLoopbackOrigin(origin) : ownForms && hostOf(origin) === host?.toLowerCase())

  return (request) => {
    let { host } = request.headers
    if (targetOf !== undefined) {
      const target = targetOf(request)
      if (target === undefined) return BAD_FORWARDING
      host = target.host
    }
    if (checkHost && !isServed(host)) return forbidden(`Host ${shown(host ?? '(none)')} is not served here`)
    const { origin } = request.headers
    if (origin !== undefined && !isOurs(origin, host)) return forbidden(`Origin ${shown(origin)} is not allowed`)
    return undefined
  }
}

/** Of a header that anybody can write. */
const MAX_SHOWN = 200
const shown = (header: string): string => (header === '' ? EMPTY : clip(header, MAX_SHOWN))

function checkedHost(given: string): string {
  const name = given.toLowerCase()
  if (hostNameOf(name) === name) return name
  throw ToolError.of(
    'RegistrationError',
    `The allowed host ${JSON.stringify(given)} is not a host name without a port, such as tools.example`,
  )
}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

const isLoopbackOrigin = (origin: string): boolean => LOOPBACK_NAMES.includes(URL.parse(origin)?.hostname ?? '')
