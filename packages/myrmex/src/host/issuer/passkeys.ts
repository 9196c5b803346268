/**
 * Passkeys (Web Authentication): what a browser sends about one, checked. Enforced for every answer of an authenticator:
 *
 * - It is for the page that asked, in the browser that opened it (the challenge is the value of the page's form), and for this origin.
 * - The person was there and was verified, by a fingerprint or a PIN.
 * - The signature is by the key that the user registered, and a counter that counts does not go back.
 *
 * Who makes the authenticator is not asked: an invitation says whose passkey it is.
 */
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import * as z from 'zod'
import type { Passkey } from '../../ledger/sign-in/credentials.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'

/** Browsers know passkeys of names only. On this machine that is localhost. */
export function hasPasskeys(origin: string): boolean {
  const { hostname } = new URL(origin)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}

/** Names the user to an authenticator, which shows the name that the page gives it. */
export const userHandle = (user: string): string => crypto.hash('sha256', `myrmex user ${user}`, 'base64url')

/** What an answer must belong to. */
export interface PasskeyPage {
  readonly origin: string
  /** the value of the form */
  readonly challenge: string
}

const base64url = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(most)
const Answer = z.object({
  id: base64url(1400),
  client_data: base64url(4000),
  authenticator_data: base64url(4000),
})
const Registered = Answer.extend({
  public_key: base64url(2000),
  transports: z.array(z.string().regex(/^[\w-]{1,30}$/)).max(10),
})
const Asserted = Answer.extend({ signature: base64url(2000) })
const ClientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** The passkey that was made on an invitation's page. Throws ValidationError. */
export function registeredPasskey(text: string, page: PasskeyPage): Passkey {
  const answer = parsed(Registered, text)
  const { flags, counter, bytes } = authenticatorData(answer, 'webauthn.create', page)
  // 37 bytes, the model of the authenticator, the length of the id, the id, the key.
  const id = bytes.subarray(55, 55 + (bytes.length > 55 ? bytes.readUInt16BE(53) : 0))
  if ((flags & HAS_CREDENTIAL) === 0 || id.length === 0 || id.toString('base64url') !== answer.id) throw invalid()
  const { id: own, public_key: publicKey, transports } = answer
  publicKeyOf(publicKey)
  return { id: own, publicKey, counter, transports }
}

/** The id of the passkey that somebody signs in with: nothing about it is proven yet. */
export const passkeyId = (text: string): string => parsed(Asserted, text).id

/** The passkey as it is after this sign-in. Throws ValidationError. */
export function assertedPasskey(text: string, passkey: Passkey, page: PasskeyPage): Passkey {
  const answer = parsed(Asserted, text)
  const { counter, bytes } = authenticatorData(answer, 'webauthn.get', page)
  const clientHash = crypto.hash('sha256', Buffer.from(answer.client_data, 'base64url'), 'buffer')
  const { key, digest } = publicKeyOf(passkey.publicKey)
  const signed = Buffer.concat([bytes, clientHash])
  if (!crypto.verify(digest, signed, key, Buffer.from(answer.signature, 'base64url'))) throw invalid()
  // An authenticator that does not count sends 0. A copy of one that does would count from an earlier value.
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) throw invalid()
  return { ...passkey, counter }
}

function authenticatorData(
  { client_data, authenticator_data }: z.infer<typeof Answer>,
  type: string,
  { origin, challenge }: PasskeyPage,
): { flags: number; counter: number; bytes: Buffer } {
  const client = parsed(ClientData, Buffer.from(client_data, 'base64url').toString('utf8'))
  const isOurs = client.type === type && client.challenge === challenge && client.origin === origin
  const bytes = Buffer.from(authenticator_data, 'base64url')
  if (!isOurs || client.crossOrigin === true || bytes.length < 37) throw invalid()
  const party = crypto.hash('sha256', new URL(origin).hostname, 'buffer')
  const flags = bytes.readUInt8(32)
  const isPerson = (flags & PRESENT) !== 0 && (flags & VERIFIED) !== 0
  if (!party.equals(bytes.subarray(0, 32)) || !isPerson) throw invalid()
  return { flags, counter: bytes.readUInt32BE(33), bytes }
}

/** ES256, Ed25519 or RS256, as the page asks for. */
function publicKeyOf(spki: string): { key: KeyObject; digest: string | null } {
  let key: KeyObject
  try {
    key = crypto.createPublicKey({ key: Buffer.from(spki, 'base64url'), format: 'der', type: 'spki' })
  } catch (cause) {
    throw invalid(cause)
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} } = key
  if (type === 'ed25519') return { key, digest: null }
  if ((type === 'ec' && namedCurve === 'prime256v1') || (type === 'rsa' && modulusLength >= 2048))
    return { key, digest: 'sha256' }
  throw invalid()
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalid(cause)
  }
  const { success, data } = schema.safeParse(value)
  if (!success) throw invalid()
  return data
}

const invalid = (cause?: unknown): ToolError =>
  ToolError.of(
    'ValidationError',
    'This passkey does not fit. Try again, or ask the operator of this host for a new invitation.',
    null,
    {
      cause,
    },
  )
