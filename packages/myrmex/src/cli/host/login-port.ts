/** How `myrmex host login` and `logout` reach the sign-ins: through the API of the running host, or with the ledger alone. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiFile, readApiFile } from '../../host/api/api-file.ts'
import { processExists } from '../../host/api/process-exists.ts'
import { HOST_FILE, readHostFile } from '../../host/config/read-host-file.ts'
import { serverName } from '../../host/config/server-name.ts'
import type { ServerStatus } from '../../host/host.ts'
import type { Login, LoginState } from '../../host/sign-in/logins.ts'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { didYouMean } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { acceptFolder, requireFolder } from '../../serve/folder-trust.ts'
import { type LedgerFlags, openChosenLedger } from '../../serve/ledger.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { say } from '../../serve/terminal.ts'
import { nearest } from '../../tool/nearest.ts'
import { apiOf } from './running-host.ts'

export interface LoginFlags extends LedgerFlags {
  readonly config?: string
  readonly state?: string
}

export interface ServerResult {
  /** null: no host is running */
  readonly status: ServerStatus | null
}

export interface LogoutResult {
  /** whether there were tokens */
  readonly signed_in: boolean
  /** whether the issuer has revoked them */
  readonly revoked: boolean
}

export interface LoginPort {
  /** null: nobody has to do anything */
  start(flow: Login['flow'] | undefined, principal: string | undefined): Promise<Login | null>
  finish(address: string): Promise<void>
  state(id: string): Promise<LoginState>
  result(): Promise<ServerResult>
  logout(principal: string | undefined): Promise<LogoutResult>
  close(): Promise<void>
}

/** How long a server may take to be ready after a sign-in. */
const READY_MS = 15_000
const POLL_MS = 100

export async function openLoginPort(configured: string, flags: LoginFlags): Promise<LoginPort> {
  const name = serverName(configured)
  if (typeof name !== 'string')
    throw ToolError.of('ValidationError', `${JSON.stringify(configured)} ${name.problem.replace(/; rename it$/, '')}.`)
  const file = await readApiFile(hostFolder(flags.config ?? HOST_FILE, flags.state))
  if (file !== undefined && processExists(file.pid)) return hostPort(name, file)
  return await ownPort(name, flags)
}

function hostPort(name: string, file: ApiFile): LoginPort {
  const api = apiOf(file, 'to sign in or out')
  const path = `/servers/${name}`
  return {
    async start(flow, principal) {
      return (await api.post<{ login: Login | null }>(`${path}/login`, given({ flow, for: principal }))).login
    },
    finish: (address) => api.post(`${path}/login/finish`, { url: address }),
    state: (id) => api.get<LoginState>(`${path}/login/${encodeURIComponent(id)}`),
    async result() {
      for (const end = Date.now() + READY_MS; ; await pause(POLL_MS)) {
        const status = await api.get<ServerStatus>(path)
        if (status.state !== 'starting' || Date.now() > end) return { status }
      }
    },
    logout: (principal) => api.post<LogoutResult>(`${path}/logout`, given({ for: principal })),
    close: () => api.close(),
  }
}

const given = (members: Readonly<Record<string, string | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject

const ledgerIn = (folder: string, state: string | undefined): string =>
  state === undefined ? join(folder, DEFAULT_LEDGER) : join(resolve(state), basename(DEFAULT_LEDGER))

/** Without a host: the same code in this process, and a port of its own that the browser comes back to. */
async function ownPort(name: string, { config = HOST_FILE, state, ...flags }: LoginFlags): Promise<LoginPort> {
  const folder = dirname(resolve(config))
  if (config !== HOST_FILE) acceptFolder(folder)
  if (existsSync(config)) await requireFolder(folder)
  const { settings } = await readHostFile(config)
  const found = settings.find((one) => one.name === name)
  if (found === undefined) {
    const near = nearest(
      name,
      settings.map((one) => one.name),
    )
    throw ToolError.of('ValidationError', `${config} has no server ${JSON.stringify(name)}.${didYouMean(near)}`)
  }
  say('no host is listening; using its ledger directly')
  const ledger = await openChosenLedger({ ...flags, ledger: flags.ledger ?? ledgerIn(folder, state) }, 'create')
  const { UpstreamSignIns } = await import('../../host/sign-in/upstream-sign-ins.ts')
  const signIns = new UpstreamSignIns({
    ledger: () => ledger,
    log: (level, line) => level === 'warn' && say(line),
    onSignedIn: async () => {},
    onSignedOut: async () => {},
    onChange: () => {},
    onDead: () => {},
  })
  signIns.register(found)
  const close = async (): Promise<void> => {
    await signIns.close()
    await ledger.close()
  }
  try {
    const by = await cliDecider(ledger, 'to sign in or out')
    return {
      start: async (flow, principal) => (await signIns.login(name, { flow, principal, by })) ?? null,
      finish: async (address) => void (await signIns.finishPasted(name, address)),
      async state(id) {
        const state = signIns.loginState(id)
        if (state === undefined) throw ToolError.of('ValidationError', 'The login is unknown.')
        return state
      },
      result: async () => ({ status: null }),
      async logout(principal = '') {
        const { signedIn, revoked } = await signIns.logout(name, principal, by)
        return { signed_in: signedIn, revoked }
      },
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
