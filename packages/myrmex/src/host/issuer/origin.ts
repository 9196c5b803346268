/** The URL under which clients and browsers know a host with the embedded issuer. Tokens, registrations and passkeys belong to it. */
import { ToolError } from '../../protocol/errors.ts'
import { isLoopback } from '../../protocol/loopback.ts'
import type { SignInConfig } from '../config/sign-in-schema.ts'

/** All pages and endpoints of the issuer are below it. */
export const SIGN_IN_PATH = '/sign-in'
export const INVITATION_PATH: string = `${SIGN_IN_PATH}/invitation/`

export const invitationLink = (origin: string, code: string): string => `${origin}${INVITATION_PATH}${code}`

/** Two hosts on one machine share the cookies of 127.0.0.1, so the names have the port. */
export function cookieNames(origin: string) {
  const port = new URL(origin).port || 'default'
  return { session: `myrmex_${port}`, interaction: `myrmex_i_${port}`, resume: `myrmex_r_${port}` } as const
}

/** Throws ValidationError if the URL cannot be known before the host listens, or would change. */
export function signInOrigin({ url }: SignInConfig, address: string, port: number | undefined): string {
  if (url !== undefined) return url
  if (port === undefined || port === 0)
    throw ToolError.of(
      'ValidationError',
      'host.sign_in needs a fixed port, because clients remember the URL: set "port" of host, or "url" of sign_in.',
    )
  if (!isLoopback(address))
    throw ToolError.of(
      'ValidationError',
      `host.sign_in on ${address} needs "url", the https URL of the proxy that clients use: passphrases must not cross a network unencrypted.`,
    )
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
