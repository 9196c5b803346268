/** How `myrmex host login` and `logout` reach the sign-ins: through the API of the running host, or with the ledger alone. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiFile, readApiFile } from '../../host/api/api-file.ts'
import { openSession } from '../../host/api/client.ts'
import { isAlive } from '../../host/api/is-alive.ts'
import { HOST_FILE, readHostFile } from '../../host/config/read-host-file.ts'
import { serverName } from '../../host/config/server-name.ts'
import type { ServerStatus } from '../../host/host.ts'
import type { Login, LoginState } from '../../host/sign-in/logins.ts'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { didYouMean } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { acceptFolder, requireFolder } from '../../serve/folder-trust.ts'
import { type LedgerFlags, openChosenLedger } from '../../serve/ledger.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { openSecretTerminal } from '../../serve/secret-terminal.ts'
import { say } from '../../serve/terminal.ts'
import { nearest } from '../../tool/nearest.ts'

export interface LoginFlags extends LedgerFlags {
  readonly config?: string
}

export interface ServerResult {
  /** null: no host is running */
  readonly status: ServerStatus | null
}

export interface LoginPort {
  /** null: nobody has to do anything */
  start(flow: Login['flow'] | undefined, principal: string | undefined): Promise<Login | null>
  finish(address: string): Promise<void>
  state(id: string): Promise<LoginState>
  result(): Promise<ServerResult>
  /** Whether the issuer has revoked the tokens. */
  logout(principal: string | undefined): Promise<boolean>
  close(): Promise<void>
}

/** How long a server may take to be ready after a sign-in. */
const READY_MS = 15_000
const POLL_MS = 100

export async function openLoginPort(configured: string, flags: LoginFlags): Promise<LoginPort> {
  const name = serverName(configured)
  if (typeof name !== 'string')
    throw ToolError.of('ValidationError', `${JSON.stringify(configured)} ${name.problem.replace(/; rename it$/, '')}.`)
  const file = await readApiFile(hostFolder(flags.config ?? HOST_FILE))
  if (file !== undefined && isAlive(file.pid)) return await hostPort(name, file)
  return await ownPort(name, flags)
}

async function hostPort(name: string, file: ApiFile): Promise<LoginPort> {
  const token = file.mode === 'locked' ? await sessionOf(file) : file.token
  const ask = <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> =>
    answerOf<T>(
      fetch(new URL(`/api/servers/${name}${path}`, file.url), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        redirect: 'error',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  return {
    async start(flow, principal) {
      return (await ask<{ login: Login | null }>('POST', '/login', { flow, for: principal })).login
    },
    finish: (address) => ask('POST', '/login/finish', { url: address }),
    state: (id) => ask<LoginState>('GET', `/login/${encodeURIComponent(id)}`),
    async result() {
      for (const end = Date.now() + READY_MS; ; await pause(POLL_MS)) {
        const status = await ask<ServerStatus>('GET', '')
        const isChanging = ['starting', 'stopped', 'idle', 'needs_sign_in'].includes(status.state)
        if (!isChanging || Date.now() > end) return { status }
      }
    },
    logout: async (principal) => (await ask<{ revoked: boolean }>('POST', '/logout', { for: principal })).revoked,
    close: async () => {},
  }
}

async function sessionOf({ url, token }: ApiFile): Promise<string> {
  const terminal = await openSecretTerminal()
  try {
    const passphrase = await terminal.ask("The operator's passphrase, to sign in or out: ")
    if (passphrase === undefined) throw ToolError.of('PermissionError', 'Cancelled: nothing was decided.')
    return await openSession({ url, token }, passphrase)
  } finally {
    terminal.close()
  }
}

async function answerOf<T>(asked: Promise<Response>): Promise<T> {
  let response: Response
  try {
    response = await asked
  } catch {
    throw ToolError.of('UnavailableError', 'The host does not respond. See: npx myrmex host status')
  }
  const body = await response.json().catch(() => undefined)
  if (response.ok) return body as T
  const { error_type, error_message } = (body ?? {}) as Partial<Record<'error_type' | 'error_message', string>>
  const type = error_type === 'ValidationError' || error_type === 'PermissionError' ? error_type : 'UnavailableError'
  throw ToolError.of(type, error_message ?? `The host answered ${response.status}.`)
}

/** Without a host: the same code in this process, and a port of its own that the browser comes back to. */
async function ownPort(name: string, { config = HOST_FILE, ...flags }: LoginFlags): Promise<LoginPort> {
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
  say('no host is listening; signing in without one')
  const ledger = await openChosenLedger({ ...flags, ledger: flags.ledger ?? join(folder, DEFAULT_LEDGER) }, 'create')
  const { UpstreamSignIns } = await import('../../host/sign-in/upstream-sign-ins.ts')
  const signIns = new UpstreamSignIns({
    ledger: () => ledger,
    log: (level, line) => level === 'warn' && say(line),
    onSignedIn: async () => {},
    onSignedOut: async () => {},
    onChange: () => {},
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
      logout: async (principal = '') => (await signIns.logout(name, principal, by)).revoked,
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
