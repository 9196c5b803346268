/**
 * Requests that come through a proxy. What a proxy says about a request (`X-Forwarded-Host`, `X-Forwarded-Proto`, or `Forwarded`) is
 * believed only if the connection is from an address that the operator named: everybody else can write these headers too.
 *
 * - Of several values the last counts, which is that of the nearest proxy. What stands before it may come from the client.
 * - A request with both kinds of headers is refused: a proxy that writes the one passes on the other as the client sent it.
 * - Whether a request came through any proxy decides who is `local`, and for that no header needs to be believed: see `isForwarded`.
 */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { ToolError } from '../../protocol/errors.ts'

/** How the client addressed this server. */
export interface RequestTarget {
  /** as in a Host header; undefined if there is none */
  readonly host: string | undefined
  readonly protocol: 'http' | 'https'
}

/** Undefined: the headers contradict each other or are malformed. */
export type TargetReader = (request: IncomingMessage) => RequestTarget | undefined

/** `trusted` are addresses, ranges such as 10.0.0.0/8, or `loopback`. Throws RegistrationError for anything else. */
export function targetReader(trusted: readonly string[] = []): TargetReader {
  if (trusted.length === 0) return direct
  const proxies = addressList(trusted)
  return (request) => (isListed(proxies, request) ? forwarded(request) : direct(request))
}

/** The address of who sent a request: behind a trusted proxy the one that the proxy names, otherwise that of the connection. */
export function addressReader(trusted: readonly string[] = []): (request: IncomingMessage) => string {
  const own = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? 'unknown'
  if (trusted.length === 0) return own
  const proxies = addressList(trusted)
  return (request) => {
    const named = isListed(proxies, request) ? lastOf(request.headers['x-forwarded-for']) : undefined
    return named !== undefined && isIP(named) !== 0 ? named : own(request)
  }
}

/** What one sender can have many of counts as one: the addresses of an IPv6 network (/64). For limits of requests by address. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  // In its shortest form, without a zone.
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::')
  const [start, end] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  const groups = [...start, ...Array<string>(8 - start.length - end.length).fill('0'), ...end]
  // An IPv4 address within IPv6.
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? groups.join(':') : `${groups.slice(0, 4).join(':')}::/64`
}

const direct = ({ headers }: IncomingMessage): RequestTarget => ({ host: headers.host, protocol: 'http' })

/**
 * Headers that proxies, load balancers and content networks add, and no client on this machine sends. Headers of tracing
 * (traceparent, x-request-id, x-amzn-trace-id) are not among them, because clients send those too.
 */
const PROXY_HEADER = new RegExp(
  `^(?:${[
    '(?:x-forwarded-|x-original-|x-envoy-|cf-|cloudfront-|fly-|x-vercel-).*',
    '(?:x-)?forwarded(?:-for)?|via|cdn-loop|proxy-connection|front-end-https|x-(?:url-)?scheme',
    '(?:x-real|x-client|x-cluster-client|x-remote|x-proxyuser|x-appengine-user|true-client|fastly-client|client)-ip',
    '(?:do|x-nf-client)-connect(?:ing|ion)-ip|(?:wl-)?proxy-client-ip|x-remote-addr|x-originating-ip',
    'x-azure-(?:client|socket)ip|x-arr-(?:ssl|log-id)|x-sucuri-clientip|incap-client-ip|akamai-origin-hop',
  ].join('|')})$`,
)

/** Whether the request came through a proxy, or says so. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers) if (PROXY_HEADER.test(name)) return true
  return false
}

function forwarded(request: IncomingMessage): RequestTarget | undefined {
  const { headers } = request
  const [host, protocol] = [headers['x-forwarded-host'], headers['x-forwarded-proto']]
  const isPlain = host !== undefined || protocol !== undefined
  if (headers.forwarded === undefined) {
    return isPlain ? target(request, lastOf(host), lastOf(protocol)) : direct(request)
  }
  if (isPlain) return undefined
  const last = forwardedElement(headers.forwarded)
  return last && target(request, last.get('host'), last.get('proto'))
}

function target({ headers }: IncomingMessage, host = headers.host, protocol = 'http'): RequestTarget | undefined {
  const lower = protocol.toLowerCase()
  return lower === 'http' || lower === 'https' ? { host, protocol: lower } : undefined
}

/** Node joins the values of a header that is there twice with a comma. */
const lastOf = (header: string | string[] | undefined): string | undefined =>
  header === undefined ? undefined : String(header).split(',').at(-1)?.trim()

const PAIR = /^\s*([a-z]+)=(?:"([^"\\]*)"|([^\s";,]+))\s*$/i

/** The last element of a `Forwarded` header (RFC 7239), by lower-case name. Undefined if it is malformed. */
function forwardedElement(header: string): ReadonlyMap<string, string> | undefined {
  const pairs = new Map<string, string>()
  for (const pair of (header.split(',').at(-1) ?? '').split(';')) {
    const [, name, quoted, plain] = PAIR.exec(pair) ?? []
    if (name === undefined || pairs.has(name.toLowerCase())) return undefined
    pairs.set(name.toLowerCase(), quoted ?? (plain as string))
  }
  return pairs
}

const LOOPBACK_RANGES = ['127.0.0.0/8', '::1/128']

function addressList(trusted: readonly string[]): BlockList {
  const list = new BlockList()
  for (const given of trusted.flatMap((one) => (one === 'loopback' ? LOOPBACK_RANGES : [one]))) {
    const [address = '', bits, ...more] = given.split('/')
    const version = isIP(address)
    const length = bits === undefined ? (version === 4 ? 32 : 128) : Number(bits)
    const isRange = /^\d{1,3}$/.test(bits ?? '0') && length <= (version === 4 ? 32 : 128)
    if (version === 0 || more.length > 0 || !isRange) {
      throw ToolError.of(
        'RegistrationError',
        `The trusted proxy ${JSON.stringify(given)} is not an address, a range such as 10.0.0.0/8, or loopback`,
      )
    }
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

function isListed(proxies: BlockList, { socket }: IncomingMessage): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '')
  return address !== undefined && proxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
