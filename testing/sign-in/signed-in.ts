/** What the tests of sign-ins do again and again: sign in, look at what is stored, and count what issuer and vendor are asked. */
import type { Ledger } from 'myrmex'
import { expect, vi } from 'vitest'
import { Browser, type BrowserPage } from './browser.ts'
import { OPERATOR, type SignInHost, type SignInHostOptions, signInHost } from './host-with-issuer.ts'
import { type ProtectedServer, protectedServer, type Sdk } from './protected-server.ts'
import { type IssuerShape, type SignInIssuer, signInIssuer } from './sign-in-issuer.ts'

export const statusOf = ({ host }: SignInHost) => host.servers()[0]

export async function login(signed: SignInHost, browser: Browser = new Browser()) {
  const started = await signed.host.signIns.login('notes', { by: OPERATOR })
  const page: BrowserPage = await browser.open(started?.authorization_url ?? '')
  return { started, page, browser }
}

/** Signed in, with a server that is ready. */
export async function signedIn(
  ledger: Ledger,
  { sdk = 'sdk2', ...shape }: IssuerShape & { readonly sdk?: Sdk } = {},
  options: SignInHostOptions = {},
) {
  const issuer = await signInIssuer(shape)
  const server = await protectedServer(sdk, issuer)
  const signed = await signInHost(server.url, ledger, options)
  await login(signed)
  await isReady(signed)
  return { issuer, server, signed }
}

export const isReady = (signed: SignInHost): Promise<void> =>
  vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'), { timeout: 10_000 })

/** A request past the gates of the host: what the server sends is what comes. */
export const whoami = ({ host }: SignInHost): Promise<unknown> =>
  host.upstream('notes')?.request('tools/call', { name: 'whoami' }) ?? Promise.reject(new Error('no such server'))

export const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

interface StoredSignIn {
  readonly issuer: { readonly issuer: string }
  readonly tokens: { readonly access_token: string; readonly refresh_token: string; readonly expires_at?: number }
}

export const ownerOf = ({ url }: ProtectedServer) => ({ kind: 'tokens', server: 'notes', url, principal: '' }) as const

export async function storedTokens(ledger: Ledger, server: ProtectedServer): Promise<StoredSignIn> {
  return (await ledger.upstreamTokens.read(ownerOf(server)))?.body as StoredSignIn
}

/** Everything that was asked of issuer and vendor while this ran. */
export async function counted(issuer: SignInIssuer, server: ProtectedServer, work: () => Promise<unknown>) {
  const before = [issuer.requests.length, server.requests.length] as const
  await work()
  return { issuer: issuer.requests.slice(before[0]), server: server.requests.slice(before[1]) }
}
