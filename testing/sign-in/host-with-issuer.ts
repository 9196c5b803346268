/** A host with one server that asks for a sign-in, an issuer, and a ledger that the test can look into. */
import { Client } from '@modelcontextprotocol/client'
import type { Ledger } from 'myrmex'
import { onTestFinished } from 'vitest'
import { DirectTransport } from '../../packages/myrmex/src/client/direct-transport.ts'
import { type Host, type HostOptions, openHost } from '../../packages/myrmex/src/host/host.ts'
import type { AuthSettings, UrlEndpoint } from '../../packages/myrmex/src/host/settings.ts'
import { serverSettings } from '../host/server-settings.ts'

export const OPERATOR = { name: 'ada', from: 'cli' } as const

export interface SignInHostOptions extends Partial<HostOptions> {
  readonly auth?: AuthSettings | 'none'
  readonly headers?: Record<string, string>
  readonly transport?: UrlEndpoint['transport']
  readonly sessions?: 'caller'
}

export interface SignInHost {
  readonly host: Host
  /** everything that was logged */
  readonly log: string[]
  call(tool: string): Promise<unknown>
}

export async function signInHost(
  url: string,
  ledger: Ledger,
  { auth, headers = {}, transport = 'http', sessions, ...more }: SignInHostOptions = {},
): Promise<SignInHost> {
  const log: string[] = []
  const endpoint: UrlEndpoint = { where: 'url', url, headers, transport, ...(auth !== undefined && { auth }) }
  const host = await openHost({
    settings: [serverSettings('notes', endpoint, { healthMs: 0, ...(sessions && { sessions }) })],
    ledger,
    log: (level, line) => void log.push(`${level} ${line}`),
    ...more,
  })
  onTestFinished(() => host.close())
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new DirectTransport(host.server))
  onTestFinished(() => client.close())
  return { host, log, call: (tool) => client.callTool({ name: tool, arguments: {} }) }
}

export const authSettings = (more: Partial<AuthSettings> = {}): AuthSettings => ({
  grant: 'authorization_code',
  ...more,
})
