/**
 * Serves a host over HTTP: the protocol and the operator's API, whose token is in a file that only the operator can read. If the ledger
 * is locked, that token only reads the status.
 */
import { dirname, join, resolve } from 'node:path'
import type { SignInConfig } from '../host/config/sign-in-schema.ts'
import type { Host } from '../host/host.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import type { Pages } from '../transport/http/pages.ts'
import { listenHttp } from '../transport/listen-http.ts'
import { localUsersOption } from './local-users.ts'
import { type AccessFlags, accessFlags } from './options.ts'
import { openSignIn } from './serve-sign-in.ts'

/** The folder, beside its configuration, in which a host keeps its listing cache, and its URL and token while it runs. */
export const HOST_FOLDER: string = join('.myrmex', 'host')

export const hostFolder = (config: string): string => join(dirname(resolve(config)), HOST_FOLDER)

export interface ListenHostOptions extends AccessFlags {
  readonly ledger: Ledger
  readonly policy: Policy
  /** the folder of the configuration */
  readonly folder: string
  readonly port: number
  readonly address: string
  /** pages for people on the same port */
  readonly pages?: Pages
  /** the embedded issuer; undefined: nobody signs in here */
  readonly signIn?: SignInConfig | undefined
}

export interface HostListener {
  readonly url: string
  /** URL of the operator's API */
  readonly api: string
  close(): Promise<void>
}

export async function listenHost(
  host: Host,
  { ledger, policy, folder, port, address, pages, signIn: signInConfig, ...flags }: ListenHostOptions,
): Promise<HostListener> {
  const { operatorApi } = await import('../host/api/operator-api.ts')
  const { operatorToken } = await import('../host/api/operator-token.ts')
  const { writeApiFile } = await import('../host/api/api-file.ts')
  const callerToken = process.env.MYRMEX_TOKEN
  const token = operatorToken()
  const access = accessFlags(flags)
  const signIn =
    signInConfig &&
    (await openSignIn(host.server, ledger, signInConfig, { address, port, trustProxy: access.trustProxy }))
  const api = operatorApi({ server: host.server, ledger, host, token, callerToken, signInUrl: signIn?.audience })
  const listening = await listenHttp(host.server, {
    port,
    host: address,
    policy,
    api,
    ...access,
    ...signIn?.access(access),
    ...localUsersOption(),
    ...(pages !== undefined && { pages }),
    ...(callerToken !== undefined && { token: callerToken }),
  })
  // The port is open: the issuer takes a moment, and nobody signs in before it.
  signIn?.load()
  const url = new URL('/api', listening.url).href
  const forget = await writeApiFile(join(folder, HOST_FOLDER), {
    ...{ url, token, pid: process.pid },
    mode: ledger.lock.isLocked ? 'locked' : 'open',
  })
  return {
    url: signIn?.audience ?? listening.url,
    api: url,
    async close() {
      api.close()
      signIn?.close()
      await listening.close()
      await forget()
    },
  }
}
