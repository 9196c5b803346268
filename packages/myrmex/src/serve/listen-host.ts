/**
 * Serves a host over HTTP: the protocol and the operator's API, whose token is in a file that only the operator can read. If the ledger
 * is locked, that token only reads the status.
 */
import { dirname, join, resolve } from 'node:path'
import type { SignInConfig } from '../host/config/sign-in-schema.ts'
import type { Host } from '../host/host.ts'
import type { HostLogs } from '../host/logs/host-logs.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import { isLoopback } from '../protocol/loopback.ts'
import type { Pages } from '../transport/http/pages.ts'
import { listenHttp } from '../transport/listen-http.ts'
import { claimHostFolder } from './host-claim.ts'
import { localUsersOption } from './local-users.ts'
import { type AccessFlags, accessFlags } from './options.ts'
import { openServedIssuer } from './served-issuer.ts'

/** The folder, beside its configuration, in which a host keeps its listing cache, and its URL and token while it runs. */
export const HOST_FOLDER: string = join('.myrmex', 'host')

/** `state`: the folder that the operator named instead of `.myrmex`. */
export const hostFolder = (config: string, state?: string): string =>
  state === undefined ? join(dirname(resolve(config)), HOST_FOLDER) : join(resolve(state), 'host')

export interface ListenHostOptions extends AccessFlags {
  readonly ledger: Ledger
  readonly policy: Policy
  /** the folder of the configuration */
  readonly folder: string
  /** where api.json is; default: `.myrmex/host` in `folder` */
  readonly hostFolder?: string
  /** for the API: what it can show of them, and the file that it edits */
  readonly logs?: HostLogs
  readonly configFile?: string
  readonly port: number
  readonly address: string
  /** every caller needs a token, on loopback too */
  readonly requireToken?: boolean
  /** pages for people on the same port */
  readonly pages?: Pages
  /** the embedded issuer; undefined: nobody signs in here */
  readonly signIn?: SignInConfig | undefined
}

export interface HostListener {
  readonly url: string
  /** URL of the operator's API */
  readonly api: string
  /** From now on callers are admitted as this policy says. Throws if that is not possible, and then nothing changes. */
  setPolicy(policy: Policy): void
  close(): Promise<void>
}

/** Refuses a bad MYRMEX_API_TOKEN, for commands that do much before they listen. Throws RegistrationError. */
export async function checkOperatorToken(policy: Policy): Promise<void> {
  const { assertOperatorToken, operatorToken } = await import('../host/api/operator-token.ts')
  assertOperatorToken(operatorToken(), policy, process.env.MYRMEX_TOKEN)
}

/** Throws UnavailableError if another host serves the folder. */
export async function listenHost(host: Host, options: ListenHostOptions): Promise<HostListener> {
  const own = options.hostFolder ?? join(options.folder, HOST_FOLDER)
  const release = await claimHostFolder(own)
  try {
    const listening = await listenClaimed(host, own, options)
    return {
      ...listening,
      async close() {
        await listening.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

async function listenClaimed(host: Host, own: string, options: ListenHostOptions): Promise<HostListener> {
  const { ledger, policy, port, address, pages, logs, configFile, requireToken = false, ...rest } = options
  const { folder: _, hostFolder: __, signIn: signInConfig, ...flags } = rest
  const { operatorApi } = await import('../host/api/operator-api.ts')
  const { assertOperatorToken, operatorToken } = await import('../host/api/operator-token.ts')
  const { writeApiFile } = await import('../host/api/api-file.ts')
  const callerToken = process.env.MYRMEX_TOKEN
  const token = operatorToken()
  const { approvalPages } = await import('../host/pages/approval-pages.ts')
  const { joinedPages } = await import('../host/pages/joined-pages.ts')
  const access = accessFlags(flags)
  const signIn =
    signInConfig &&
    (await openServedIssuer(host.server, ledger, signInConfig, { address, port, trustProxy: access.trustProxy }))
  const callback = await signInPages(host, signIn?.origin)
  const api = operatorApi({
    ...{ server: host.server, ledger, host, token, callerToken, signInUrl: signIn?.audience },
    ...(logs !== undefined && { logs }),
    ...(configFile !== undefined && { configFile }),
  })
  const listening = await listenHttp(host.server, {
    port,
    host: address,
    policy,
    api,
    tokens: ledger.tokens,
    requireToken,
    ...access,
    ...signIn?.access(access),
    ...localUsersOption(),
    pages: joinedPages(callback, approvalPages, ...(pages === undefined ? [] : [pages])),
    ...(callerToken !== undefined && { token: callerToken }),
  })
  // The port is open: the issuer takes a moment, and nobody signs in before it.
  signIn?.load()
  const url = new URL('/api', listening.url).href
  host.signIns.callbackOrigin = loopbackOrigin(address, listening.port)
  host.notifier.origin = signIn?.origin ?? host.signIns.callbackOrigin ?? new URL(listening.url).origin
  const forget = await writeApiFile(own, {
    ...{ url, token, pid: process.pid },
    mode: ledger.lock.isLocked ? 'locked' : 'open',
  })
  return {
    url: signIn?.audience ?? listening.url,
    api: url,
    setPolicy(changed) {
      assertOperatorToken(token, changed, callerToken)
      listening.setPolicy(changed)
    },
    async close() {
      host.signIns.callbackOrigin = host.signIns.publicOrigin = undefined
      host.notifier.origin = undefined
      api.close()
      signIn?.close()
      await listening.close()
      await forget()
    },
  }
}

/** What a browser and an issuer see of the host when it signs in to its servers. `origin`: under which they know it. */
async function signInPages({ signIns }: Host, origin: string | undefined): Promise<Pages> {
  const { callbackPages, documentPages } = await import('../host/sign-in/callback-pages.ts')
  const callback = callbackPages((params, path) => signIns.finish(params, path))
  if (origin === undefined || !origin.startsWith('https:')) return callback
  const { clientDocument, serverOfDocument } = await import('../host/sign-in/client-document.ts')
  const { joinedPages } = await import('../host/pages/joined-pages.ts')
  signIns.publicOrigin = origin
  const documents = documentPages((path) => {
    const server = serverOfDocument(path)
    return server === undefined ? undefined : clientDocument(origin, server)
  })
  return joinedPages(callback, documents)
}

/** Where a browser of this machine reaches the host; undefined if it listens on other addresses only. */
function loopbackOrigin(address: string, port: number): string | undefined {
  const isEverywhere = address === '0.0.0.0' || address === '::'
  return isEverywhere || isLoopback(address) ? `http://127.0.0.1:${port}` : undefined
}
