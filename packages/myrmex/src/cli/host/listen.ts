/** The host over HTTP: the protocol, and the operator's API beside it, whose token is kept in a file for whoever runs the host. */
import { join } from 'node:path'
import type { Host } from '../../host/host.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Policy } from '../../pipeline/policy.ts'
import type { Pages } from '../../transport/http/pages.ts'
import { HOST_FOLDER } from './folder.ts'

export interface ListenFor {
  readonly ledger: Ledger
  readonly policy: Policy
  /** that of the configuration */
  readonly folder: string
  readonly port: number
  readonly address: string
  /** pages for people beside them */
  readonly pages?: Pages
}

export interface HostListening {
  readonly url: string
  /** of the operator's API */
  readonly api: string
  close(): Promise<void>
}

export async function listenFor(
  host: Host,
  { ledger, policy, folder, port, address, pages }: ListenFor,
): Promise<HostListening> {
  const { listenHttp } = await import('../../transport/http/listen.ts')
  const { operatorApi } = await import('../../host/api/operator-api.ts')
  const { apiToken } = await import('../../host/api/token.ts')
  const { keepApiFile } = await import('../../host/api/token-file.ts')
  const callerToken = process.env.MYRMEX_TOKEN
  const token = apiToken()
  const api = operatorApi({ server: host.server, ledger, host, token, callerToken })
  const listening = await listenHttp(host.server, {
    port,
    host: address,
    policy,
    api,
    ...(pages !== undefined && { pages }),
    ...(callerToken !== undefined && { token: callerToken }),
  })
  const url = new URL('/api', listening.url).href
  const forget = await keepApiFile(join(folder, HOST_FOLDER), { url, token, pid: process.pid })
  return {
    url: listening.url,
    api: url,
    async close() {
      api.close()
      await listening.close()
      await forget()
    },
  }
}
