/** An authenticator in this process, for answers that no browser would send. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface AnswerChanges {
  readonly type?: string
  readonly origin?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly party?: string
  readonly flags?: number
  readonly counter?: number
  readonly key?: KeyObject
  readonly id?: Buffer
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

export class Authenticator {
  readonly id: Buffer = randomBytes(32)
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  counter = 1

  constructor(origin: string) {
    this.#origin = origin
  }

  /** What the page of an invitation sends. */
  created(challenge: string, changes: AnswerChanges = {}): string {
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id])
    const { clientData, data } = this.#data('webauthn.create', challenge, changes, credential)
    const publicKey = (changes.key ?? this.#keys.publicKey).export({ format: 'der', type: 'spki' })
    return JSON.stringify({
      id: (changes.id ?? this.id).toString('base64url'),
      client_data: clientData.toString('base64url'),
      authenticator_data: data.toString('base64url'),
      public_key: publicKey.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The form that the sign-in page sends. */
  asserted(challenge: string, changes: AnswerChanges = {}): string {
    const { clientData, data } = this.#data('webauthn.get', challenge, changes)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), changes.key ?? this.#keys.privateKey)
    return JSON.stringify({
      id: (changes.id ?? this.id).toString('base64url'),
      client_data: clientData.toString('base64url'),
      authenticator_data: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #data(type: string, challenge: string, changes: AnswerChanges, credential?: Buffer) {
    const { party = new URL(this.#origin).hostname, counter = this.counter++ } = changes
    const { flags = credential === undefined ? 0x05 : 0x45, crossOrigin = false } = changes
    const client = { type: changes.type ?? type, challenge: changes.challenge ?? challenge, crossOrigin }
    const counted = Buffer.alloc(5)
    counted.writeUInt8(flags, 0)
    counted.writeUInt32BE(counter, 1)
    return {
      clientData: Buffer.from(JSON.stringify({ ...client, origin: changes.origin ?? this.#origin })),
      data: Buffer.concat([sha256(party), counted, ...(credential === undefined ? [] : [credential])]),
    }
  }
}
