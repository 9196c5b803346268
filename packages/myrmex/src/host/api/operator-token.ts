/**
 * The operator's token: created at every start unless MYRMEX_API_TOKEN is set. It must never be a token that may call tools, because a
 * caller must not approve its own calls.
 */
import type { IncomingMessage } from 'node:http'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { bearerToken, digestOf } from '../../transport/http/guard.ts'

/** 32 random bytes have 43 characters. Chosen tokens are rarely as random as they are long. */
const MIN_LENGTH = 32

export const operatorToken = (env: NodeJS.ProcessEnv = process.env): string =>
  env.MYRMEX_API_TOKEN ?? crypto.randomBytes(32).toString('base64url')

/** Throws if the token is weak or also belongs to a caller. `callerToken` is MYRMEX_TOKEN, if set. */
export function assertOperatorToken(
  token: string,
  { principals = [] }: Pick<Policy, 'principals'>,
  callerToken?: string,
): void {
  const refuse = (why: string): never => {
    throw ToolError.of(
      'RegistrationError',
      `MYRMEX_API_TOKEN ${why}. Unset it to use a new random token at every start.`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(token)) refuse('is empty, or has characters that a header cannot carry')
  if (token.length < MIN_LENGTH) refuse(`is shorter than ${MIN_LENGTH} characters`)
  const digest = digestOf(token)
  // By bytes: hexadecimal digits may be capitals.
  const isCallers =
    token === callerToken?.trim() ||
    principals.some(({ token_sha256 }) => digest.equals(Buffer.from(token_sha256, 'hex')))
  if (isCallers) refuse('is also a token for calling tools, and a caller must not approve its own calls')
}

/** After this many wrong tokens within a minute further wrong ones get 429. The right one is always accepted. */
const MAX_WRONG = 20
const WINDOW_MS = 60_000

/** `onWrong` is called for the first wrong token of a minute, and when the limit is reached. */
export function operatorTokenCheck(token: string, onWrong: (count: number) => void) {
  const digest = digestOf(token)
  let wrong = 0
  let since = Number.NEGATIVE_INFINITY
  return ({ headers: { authorization } }: IncomingMessage) => {
    if (authorization === undefined) return 'nobody'
    // Digests have equal length, so the time reveals nothing about the token.
    if (crypto.timingSafeEqual(digestOf(bearerToken(authorization) ?? ''), digest)) return 'operator'
    const now = performance.now()
    if (now - since > WINDOW_MS) {
      since = now
      wrong = 0
    }
    wrong++
    if (wrong === 1 || wrong === MAX_WRONG) onWrong(wrong)
    return wrong > MAX_WRONG ? 'too many' : 'nobody'
  }
}
