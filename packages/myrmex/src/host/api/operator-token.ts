/**
 * The operator's token: made at every start unless MYRMEX_API_TOKEN gives one, and never the token of somebody who may call tools,
 * since a caller must not approve its own calls.
 */
import type { IncomingMessage } from 'node:http'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { bearerToken, digestOf } from '../../transport/http/guard.ts'

/** 32 random bytes come to 43 characters; what people make up is rarely as good as it is long. */
const SHORTEST = 32

export function operatorToken(env: NodeJS.ProcessEnv = process.env): string {
  const given = env.MYRMEX_API_TOKEN
  return given === undefined ? crypto.randomBytes(32).toString('base64url') : given
}

export interface CallerTokens {
  /** MYRMEX_TOKEN, where it is set */
  readonly token?: string | undefined
  readonly policy: Pick<Policy, 'principals'>
}

/** Throws where a token would let in more people than the operator. */
export function assertOperatorToken(token: string, { token: ofCallers, policy }: CallerTokens): void {
  const refuse = (why: string): never => {
    throw ToolError.of('RegistrationError', `MYRMEX_API_TOKEN ${why}. Unset it to have one made at every start.`)
  }
  if (!/^[\x21-\x7e]+$/.test(token)) refuse('is empty, or has characters that a header cannot carry')
  if (token.length < SHORTEST) refuse(`is shorter than ${SHORTEST} characters`)
  const hex = digestOf(token).toString('hex')
  const isCallers = token === ofCallers || (policy.principals ?? []).some(({ token_sha256 }) => token_sha256 === hex)
  if (isCallers) refuse('is also a token that may call tools, and no caller may approve its own calls')
}

export type TokenVerdict = 'operator' | 'nobody' | 'too many'

/** After this many wrong tokens in a minute, wrong ones are only told to wait. The right one is always let in. */
const MOST_WRONG = 20
const WINDOW_MS = 60_000

export class OperatorTokenCheck {
  readonly #digest: Buffer
  readonly #onWrong: (count: number) => void
  #wrong = 0
  #since = Number.NEGATIVE_INFINITY

  /** `onWrong` hears of the first wrong token of a minute, and of the one that is too many. */
  constructor(token: string, onWrong: (count: number) => void) {
    this.#digest = digestOf(token)
    this.#onWrong = onWrong
  }

  check({ headers: { authorization } }: IncomingMessage): TokenVerdict {
    if (authorization === undefined) return 'nobody'
    // Digests have one length: how long it takes says nothing about the token.
    if (crypto.timingSafeEqual(digestOf(bearerToken(authorization) ?? ''), this.#digest)) return 'operator'
    const now = performance.now()
    if (now - this.#since > WINDOW_MS) {
      this.#since = now
      this.#wrong = 0
    }
    this.#wrong++
    if (this.#wrong === 1 || this.#wrong === MOST_WRONG) this.#onWrong(this.#wrong)
    return this.#wrong > MOST_WRONG ? 'too many' : 'nobody'
  }
}
