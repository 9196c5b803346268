/** The public keys for checking signatures: those in the ledger, or only the trusted keys that the operator gave. */
import type { KeyObject } from 'node:crypto'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Db } from '../db.ts'
import { keyId } from './key.ts'

/** A key that the operator trusts: the whole key, or its id. */
export interface TrustedKey {
  readonly id: string
  readonly publicPem?: string
}

export interface Signature {
  readonly key_id: string
  readonly signature: string
}

type Known = KeyObject | 'altered'

export class KeyRing {
  readonly #keys = new Map<string, Known>()
  readonly #pins: ReadonlySet<string>

  constructor(pins: readonly TrustedKey[] = []) {
    this.#pins = new Set(pins.map(({ id }) => id))
    for (const { id, publicPem } of pins) if (publicPem !== undefined) this.add(id, publicPem)
  }

  static async of(db: Db, pins?: readonly TrustedKey[]): Promise<KeyRing> {
    const ring = new KeyRing(pins)
    const rows = await db.query<{ key_id: string; public_key: string }>('SELECT key_id, public_key FROM keys')
    for (const { key_id, public_key } of rows) ring.add(key_id, public_key)
    return ring
  }

  get hasTrustedKeys(): boolean {
    return this.#pins.size > 0
  }

  /** A trusted key is never replaced by one from the ledger. */
  add(id: string, publicPem: string): void {
    if (!this.#keys.has(id)) this.#keys.set(id, read(id, publicPem))
  }

  /** What is wrong with a signature, as the end of a sentence; undefined if it is valid. */
  async signatureFault(text: string, { key_id, signature }: Signature): Promise<string | undefined> {
    const key = this.#keys.get(key_id)
    if (this.hasTrustedKeys && !this.#pins.has(key_id))
      return `is by key ${key_id}, not by ${[...this.#pins].join(' or ')}`
    if (key === undefined) return `is by key ${key_id}, which is not known`
    if (key === 'altered') return `cannot be checked: its key ${key_id} was altered`
    const bytes = Buffer.from(String(signature), 'base64')
    // Decoding ignores invalid characters: only the canonical text of these bytes is accepted.
    if (bytes.toString('base64') !== signature) return 'is not written as signatures are'
    return new Promise((resolve, reject) => {
      crypto.verify(null, Buffer.from(text), key, bytes, (error, fits) => {
        if (error) reject(error)
        else resolve(fits ? undefined : 'does not fit')
      })
    })
  }
}

function read(id: string, publicPem: string): Known {
  try {
    const key = crypto.createPublicKey(publicPem)
    return key.asymmetricKeyType === 'ed25519' && keyId(publicPem) === id ? key : 'altered'
  } catch {
    return 'altered'
  }
}

/** From a PEM (public or private) or from the id of a key. */
export function parseTrustedKey(text: string): TrustedKey {
  if (/^[0-9a-f]{16}$/.test(text)) return { id: text }
  let key: KeyObject
  try {
    key = crypto.createPublicKey(text)
  } catch {
    throw ToolError.of('ValidationError', 'This is not a key in PEM format.')
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw ToolError.of('ValidationError', `This key is of type ${key.asymmetricKeyType}, not ed25519.`)
  const publicPem = key.export({ type: 'spki', format: 'pem' }) as string
  return { id: keyId(publicPem), publicPem }
}
