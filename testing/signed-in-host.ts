/** A server with the embedded issuer on a port of its own, with users who have chosen a passphrase. */
import type { Ledger, Server } from 'myrmex'
import { createServer, listenHttp, openLedger } from 'myrmex'
import { onTestFinished } from 'vitest'
import { signInSchema } from '../packages/myrmex/src/host/config/sign-in-schema.ts'
import {
  type EmbeddedIssuer,
  type EmbeddedIssuerOptions,
  openEmbeddedIssuer,
} from '../packages/myrmex/src/host/issuer/embedded-issuer.ts'
import { type Profile, Profiles } from '../packages/myrmex/src/pipeline/rules/profiles.ts'
import type { TokenAdmission } from '../packages/myrmex/src/transport/http/guard.ts'
import { freePort } from './free-port.ts'
import { add, echo } from './sample-tools.ts'

export const PASSPHRASE = 'correct mule paper clip'

export interface SignedInHost {
  readonly server: Server
  readonly ledger: Ledger
  readonly signIn: EmbeddedIssuer
  readonly origin: string
  /** of MCP */
  readonly url: URL
  readonly tokens: TokenAdmission
  /** Ends everything but the ledger. */
  stop(): Promise<void>
}

export interface SignedInHostOptions {
  readonly config?: Record<string, unknown>
  readonly port?: number
  /** default: one in memory */
  readonly ledger?: Ledger
  readonly fetch?: EmbeddedIssuerOptions['fetch']
  readonly profiles?: readonly Profile[]
  readonly listen?: Parameters<typeof listenHttp>[1]
}

export async function signedInHost(options: SignedInHostOptions = {}): Promise<SignedInHost> {
  const port = options.port ?? (await freePort())
  const ledger = options.ledger ?? (await openLedger(':memory:'))
  const profiles = new Profiles(options.profiles)
  const server = createServer({ name: 'office', version: '1.0.0', tools: [add, echo], ledger, profiles })
  const config = signInSchema().parse({ issuer: 'embedded', ...options.config })
  const origin = config.url ?? `http://127.0.0.1:${port}`
  const signIn = await openEmbeddedIssuer({
    ...{ server, ledger, config, origin },
    ...(options.fetch && { fetch: options.fetch }),
    trustProxy: options.listen?.trustProxy,
  })
  const listening = await listenHttp(server, {
    ...options.listen,
    ...{ port, signIn: signIn.tokens, signInPages: signIn.pages, drainMs: 200 },
  })
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    signIn.close()
    await listening.close()
  }
  onTestFinished(async () => {
    await stop()
    if (options.ledger === undefined) await ledger.close()
  })
  return { server, ledger, signIn, origin, url: new URL(`${origin}/mcp`), tokens: signIn.tokens, stop }
}

/** A user who has used its invitation. */
export async function addUser(
  ledger: Ledger,
  name: string,
  scopes: readonly string[],
  profile?: string,
): Promise<void> {
  await ledger.invitations.create(name, { scopes, profile }, 'ada')
  await ledger.credentials.setPassphrase(name, PASSPHRASE, { N: 1024, r: 8, p: 1 })
}
