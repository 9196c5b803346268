/**
 * The hand-over of a decision: a program that starts a server on stdio tells it that one exact request has passed the gates of that
 * program, so that its operator does not decide twice about one call.
 *
 * - Both sides know a random key. The starting program passes it in an environment variable, which the server removes at its start, so
 *   that no process it starts inherits it.
 * - The proof is a MAC over the definition of the tool, the arguments, the answers and the id of an undo. Another request with the
 *   same proof, and a proof of anybody without the key, mean nothing.
 * - Every request has its own proof, so nothing outlasts a decision that is revoked.
 */
import { crypto } from './builtin.ts'
import { canonical } from './canonical.ts'
import { isObject } from './json.ts'
import type { Params } from './jsonrpc.ts'
import { META } from './versions.ts'

export const HAND_OVER_VARIABLE = 'MYRMEX_HAND_OVER_KEY'
/** For the audit: what let the call pass in place of an approval. */
export const HANDED_OVER = 'handed-over'

const KEY_BYTES = 32
const KEY = /^[A-Za-z0-9_-]{43}$/

export const newHandOverKey = (): string => crypto.randomBytes(KEY_BYTES).toString('base64url')

let taken: string | undefined

/** The key that this process was started with. Called before any code of others is loaded, it leaves nothing for that code to inherit. */
export function takeHandOverKey(): string | undefined {
  const given = process.env[HAND_OVER_VARIABLE]
  if (given !== undefined) {
    delete process.env[HAND_OVER_VARIABLE]
    if (KEY.test(given)) taken = given
  }
  return taken
}

/** `definition`: the hash of the tool as the server lists it. */
export const handOverProof = (key: string, definition: string, params: Params): string =>
  crypto.createHmac('sha256', key).update(subjectOf(definition, params)).digest('base64url')

/** Whether the request carries the proof for this definition. */
export function isHandedOver(key: string, definition: string, params: Params): boolean {
  const meta = params._meta
  const proof = isObject(meta) ? meta[META.handOver] : undefined
  if (typeof proof !== 'string') return false
  const [given, right] = [Buffer.from(proof), Buffer.from(handOverProof(key, definition, params))]
  return given.length === right.length && crypto.timingSafeEqual(given, right)
}

/** Everything in a call that decides about its effect. */
function subjectOf(definition: string, { name, arguments: args, inputResponses, requestState, _meta }: Params): string {
  const meta = isObject(_meta) ? _meta : {}
  const { [META.undo]: undo, [META.dryRun]: dryRun, [META.version]: version, [META.idempotencyKey]: key } = meta
  return canonical(
    Object.entries({ definition, name, args, inputResponses, requestState, undo, dryRun, version, key }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}
