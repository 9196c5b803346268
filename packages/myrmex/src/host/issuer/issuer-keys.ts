/** The issuer's keys: one signs tokens, one the cookies of browsers. Made once, and kept in the ledger, encrypted, for all processes of a host. */
import type { JWK } from 'jose'
import type { IssuerRecords } from '../../ledger/sign-in/issuer-records.ts'
import { crypto } from '../../protocol/builtin.ts'

export interface IssuerKeys {
  readonly signing: JWK & { readonly kid: string }
  readonly cookies: string
  /** for values in forms that only this host can make */
  readonly forms: string
}

export const SIGNING_ALGORITHM = 'ES256'

export async function issuerKeys(records: IssuerRecords): Promise<IssuerKeys> {
  const stored = await records.find('IssuerKeys', '')
  const text = stored?.body ?? (await records.putOnce('IssuerKeys', '', JSON.stringify(newKeys())))
  return JSON.parse(text) as IssuerKeys
}

function newKeys(): IssuerKeys {
  const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const random = (): string => crypto.randomBytes(32).toString('base64url')
  const jwk = privateKey.export({ format: 'jwk' })
  return {
    signing: { ...jwk, kid: random().slice(0, 12), alg: SIGNING_ALGORITHM, use: 'sig' },
    cookies: random(),
    forms: random(),
  }
}

/** What verifies a token. */
export function publicKeyOf({ kty, crv, x, y, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, y, kid, alg, use } as JWK
}
