/**
 * The Host header, parsed as RFC 9110 defines it: a name or an address, and a port. Anything else is no host, so that no other site can
 * pass for this machine with a host that only begins like one (`[::1].evil.example`, `localhost:80@evil.example`).
 */

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d{1,5})?$/

/** The host without its port, in lower case, an IPv6 address in brackets. Undefined if the header is missing or malformed. */
export const hostNameOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : HOST.exec(header.toLowerCase())?.[1]

/** The name of an address to listen on in a Host header. */
export const hostNameOfAddress = (address: string): string =>
  address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
