/**
 * Which addresses a sign-in may use. A server names the issuer that it trusts, and the issuer names its endpoints, so both could make
 * the host send requests to places that only the host can reach. Enforced for every address, also for those that DNS resolves:
 *
 * - It is https, or http on loopback.
 * - For a server at a public address: it is public too, unless it has the origin of the issuer that the operator configured.
 *
 * Who owns the server's name decides what it resolves to, and may change that between two requests. So a name is one of the host's network
 * only if what answers at that address has a certificate for it.
 */
import type { ConnectionOptions } from 'node:tls'
import { ToolError } from '../../protocol/errors.ts'
import { isSafeUrl } from '../../protocol/loopback.ts'

const LOCAL_RANGES: readonly (readonly [address: string, bits: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

const PROOF_MS = 5000

export type Resolve = (host: string) => Promise<readonly string[]>

const resolveByDns: Resolve = async (host) => {
  const { lookup } = await import('node:dns/promises')
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

export class IssuerAddresses {
  readonly #server: URL
  readonly #trustedOrigin: string | undefined
  readonly #resolve: Resolve
  #isServerLocal = false

  /** `issuer`: as the operator configured it. */
  constructor(server: string, issuer: string | undefined, resolve: Resolve = resolveByDns) {
    this.#server = new URL(server)
    this.#trustedOrigin = issuer === undefined ? undefined : new URL(issuer).origin
    this.#resolve = resolve
  }

  /** Throws PermissionError unless the scheme is safe. `what` names the address in the error. */
  assertScheme(what: string, address: string | URL): URL {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url === undefined)
      throw refused(`${what} is ${JSON.stringify(String(address).slice(0, 200))}, which is not a URL`)
    if (!isSafeUrl(url) && !isOwnName(url))
      throw refused(`${what} is ${shown(url)}, which is neither https nor on loopback`)
    if (url.username !== '' || url.password !== '') throw refused(`${what} has a user name or password in it`)
    return url
  }

  /** The addresses to connect to. Throws PermissionError if one of them is not allowed. */
  async resolve(url: URL): Promise<readonly string[]> {
    const addresses = await this.#addressesOf(url)
    if (url.origin === this.#trustedOrigin) return addresses
    if (!addresses.some(isLocalAddress)) return addresses
    this.#isServerLocal ||= await this.#isProvenLocal()
    if (this.#isServerLocal) return addresses
    throw refused(
      `${shown(url)} is in a private network, and the server ${this.#server.origin} is not. ` +
        `If that is its issuer, set auth.issuer`,
    )
  }

  async #isProvenLocal(): Promise<boolean> {
    const known = addressesWithoutDns(this.#server)
    if (known !== undefined) return known.every(isLocalAddress)
    const { hostname, port } = this.#server
    const [address, ...others] = await this.#resolve(hostname)
    if (address === undefined || ![address, ...others].every(isLocalAddress)) return false
    return await hasCertificate({ host: address, port: Number(port || 443), servername: hostname })
  }

  async #addressesOf(url: URL): Promise<readonly string[]> {
    return addressesWithoutDns(url) ?? (await this.#resolve(url.hostname))
  }
}

/** Undefined: DNS decides. */
function addressesWithoutDns({ hostname }: URL): readonly string[] | undefined {
  const { isIP } = process.getBuiltinModule('node:net')
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return [host]
  // As browsers do: these names never leave the machine.
  return host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1', '::1'] : undefined
}

/** Whether a TLS server answers there that is who its name says. */
async function hasCertificate(where: ConnectionOptions): Promise<boolean> {
  const { connect } = await import('node:tls')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED says: this certificate is the only proof.
  const socket = connect({ ...where, rejectUnauthorized: true }, () => resolve(true))
  socket.on('error', () => resolve(false))
  socket.setTimeout(PROOF_MS, () => resolve(false))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}

/** Whether others can reach this URL: none of its addresses is in a private network. */
export async function isPublic(url: string, resolve: Resolve = resolveByDns): Promise<boolean> {
  const addresses = await resolve(new URL(url).hostname).catch(() => [])
  return addresses.length > 0 && !addresses.some(isLocalAddress)
}

const shown = ({ origin, pathname }: URL): string => `${origin}${pathname}`.slice(0, 300)

const refused = (why: string): ToolError => ToolError.of('PermissionError', `The sign-in was stopped: ${why}.`)

/** RFC 6761: names below localhost are this machine too. */
const isOwnName = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && hostname.endsWith('.localhost')

let ranges: import('node:net').BlockList | undefined

/** Loopback, private, link-local, reserved, or a form of one of these. */
export function isLocalAddress(address: string): boolean {
  const { BlockList, isIPv6 } = process.getBuiltinModule('node:net')
  if (ranges === undefined) {
    ranges = new BlockList()
    for (const [start, bits, family] of LOCAL_RANGES) ranges.addSubnet(start, bits, family)
  }
  // An IPv4 address within IPv6 is checked as IPv4 by the list.
  return ranges.check(address.split('%')[0] ?? '', isIPv6(address) ? 'ipv6' : 'ipv4')
}
