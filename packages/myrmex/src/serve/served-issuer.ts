/** Adds the embedded issuer to what a host listens with. Its code is loaded only where myrmex.json has `host.sign_in`. */
import type { SignInConfig } from '../host/config/sign-in-schema.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { ToolError } from '../protocol/errors.ts'
import { log } from '../server/log.ts'
import type { Server } from '../server/server.ts'
import type { HttpOptions } from '../transport/http/listen.ts'
import type { AccessFlags } from './options.ts'
import { say } from './terminal.ts'

interface ServedIssuer {
  /** the URL of the host for clients */
  readonly audience: string
  /** the origin of its pages */
  readonly origin: string
  /** Options for listening, besides those of the command line. */
  access(flags: AccessFlags): Partial<HttpOptions>
  /** Loads the issuer in the background. */
  load(): void
  close(): void
}

export async function openServedIssuer(
  server: Server,
  ledger: Ledger,
  config: SignInConfig,
  { address, port, trustProxy }: { address: string; port: number; trustProxy: readonly string[] | undefined },
): Promise<ServedIssuer> {
  const [{ openEmbeddedIssuer }, { signInOrigin }] = await Promise.all([
    import('../host/issuer/embedded-issuer.ts'),
    import('../host/issuer/origin.ts'),
  ])
  const origin = signInOrigin(config, address, port)
  const issuer = await openEmbeddedIssuer({ server, ledger, config, origin, trustProxy })
  const { hostname } = new URL(origin)
  if ((await ledger.users.list()).length === 0)
    say("nobody is invited to sign in yet: npx myrmex users invite NAME --scopes 'github.*'")
  return {
    origin,
    audience: issuer.tokens.jwt.audience,
    access: ({ allowedHosts = [], allowedOrigins = [] }) => ({
      signIn: issuer.tokens,
      signInPages: issuer.pages,
      ...(config.url !== undefined && {
        allowedHosts: [...allowedHosts, hostname],
        allowedOrigins: [...allowedOrigins, origin],
      }),
    }),
    load: () => {
      issuer.load().catch((thrown) => {
        if (!(thrown instanceof ToolError)) log.error({ thrown }, 'nobody can sign in')
        else say(`nobody can sign in: ${thrown.message}`)
      })
    },
    close: () => issuer.close(),
  }
}
