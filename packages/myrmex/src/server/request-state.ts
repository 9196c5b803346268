/**
 * The state of `input_required` rounds: earlier answers and carried data, signed, bound to one request and principal, and valid for a
 * short time. It travels through the client, so the signature is checked before anything else.
 */
import { crypto } from '../protocol/builtin.ts'
import { canonical } from '../protocol/canonical.ts'
import type { InputResponses } from '../protocol/content.ts'
import { invalidParams } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { sha256 } from '../tool/hash.ts'

const VALID_MS = 15 * 60_000

/** What one round passes to the next. */
export interface InputRound {
  readonly answers: InputResponses
  readonly carried?: JsonObject | undefined
  /** all answers so far, round by round: an approval is for the call with them */
  readonly rounds?: readonly InputResponses[]
  /** names of fields that the questions mark as secret */
  readonly secrets?: readonly string[]
}

interface State extends InputRound {
  readonly request: string
  readonly principal: string
  readonly expires: number
}

export class StateSigner {
  readonly #key: Uint8Array

  constructor(key: Uint8Array = crypto.randomBytes(32)) {
    this.#key = key
  }

  seal(request: unknown, principal: string, round: InputRound): string {
    const state: State = { request: digest(request), principal, expires: Date.now() + VALID_MS, ...round }
    const body = Buffer.from(JSON.stringify(state)).toString('base64url')
    return `${body}.${this.#sign(body).toString('base64url')}`
  }

  /** Returns the previous round. The error is always the same, so it reveals nothing to an attacker. */
  open(sealed: unknown, request: unknown, principal: string): InputRound {
    const refused = invalidParams('requestState is not valid for this request. Start the request again without it.')
    if (typeof sealed !== 'string') throw refused
    const [body, mac, ...more] = sealed.split('.')
    if (body === undefined || mac === undefined || more.length > 0) throw refused
    const expected = this.#sign(body)
    const given = Buffer.from(mac, 'base64url')
    if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected)) throw refused
    const state = JSON.parse(Buffer.from(body, 'base64url').toString()) as State
    if (state.request !== digest(request) || state.principal !== principal || state.expires < Date.now()) throw refused
    const { answers, carried, rounds = [], secrets = [] } = state
    return { answers, carried, rounds, secrets }
  }

  #sign(body: string): Buffer {
    return crypto.createHmac('sha256', this.#key).update(body).digest()
  }
}

const digest = (request: unknown): string => sha256(canonical(request))
