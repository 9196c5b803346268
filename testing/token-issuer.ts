/** An issuer of tokens for tests: keys of its own, a real server that publishes them, and tokens with any claims. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'

export const ISSUER = 'https://id.example'
export const AUDIENCE = 'https://tools.example/mcp'

export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly private: CryptoKey
  /** the public half */
  readonly jwk: JWK
  readonly pem: string
}

export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return { kid, alg, private: privateKey, jwk, pem: await exportSPKI(publicKey) }
}

export const now = (): number => Math.floor(Date.now() / 1000)

/** A good token unless `claims` or `header` say otherwise; undefined takes a claim away. */
export function token(key: SigningKey, claims: object = {}, header: object = {}): Promise<string> {
  const good = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', iat: now(), exp: now() + 600, scope: '*' }
  return new SignJWT({ ...good, ...claims })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.private)
}

export interface KeyServer {
  readonly url: string
  /** what it publishes; change it to rotate */
  keys: JWK[]
  /** how often it was asked */
  asked: number
  /** answers wait for this */
  gate: Promise<void>
  answer: (keys: JWK[]) => { status: number; body: string }
  close(): Promise<void>
}

export async function keyServer(...keys: SigningKey[]): Promise<KeyServer> {
  const listener = createServer(async (_request, response) => {
    served.asked++
    await served.gate
    const { status, body } = served.answer(served.keys)
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const served: KeyServer = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/keys`,
    keys: keys.map(({ jwk }) => jwk),
    asked: 0,
    gate: Promise.resolve(),
    answer: (all) => ({ status: 200, body: JSON.stringify({ keys: all }) }),
    async close() {
      listener.closeAllConnections()
      if (listener.listening) await new Promise((resolve) => listener.close(resolve))
    },
  }
  return served
}
