/**
 * The Host header, parsed as RFC 9110 defines it: a name or an address, and a port. Anything else is no host, so that no other site can
 * pass for this machine with a host that only begins like one (`[::1].evil.example`, `localhost:80@evil.example`).
 */

/** Names of this machine in a Host header or an origin. */
export const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d{1,5})?$/

/** The host without its port, in lower case, an IPv6 address in brackets. Undefined if the header is missing or malformed. */
export const hostNameOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : HOST.exec(header.toLowerCase())?.[1]

/** Whether an address to listen on is reached from this machine only. */
export const isLoopback = (address: string): boolean =>
  LOOPBACK_NAMES.includes(address) || address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)

/** The name of an address to listen on in a Host header. */
export const hostNameOfAddress = (address: string): string =>
  address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
