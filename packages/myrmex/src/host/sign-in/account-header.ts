/**
 * Names the caller of a request between the forwarder and the wire, which takes it off again: it never leaves the process. Only servers
 * with an account for each caller have it.
 */
export const ACCOUNT_HEADER = 'x-myrmex-account'

/** Principals may have any characters, headers may not. */
export const accountHeader = (principal: string): Readonly<Record<string, string>> => ({
  [ACCOUNT_HEADER]: encodeURIComponent(principal),
})
