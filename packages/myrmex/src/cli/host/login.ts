/**
 * `myrmex host login SERVER`: signs the host in to a server behind it, and waits until that is done.
 *
 * 1. A running host is asked through its API. Without one the command signs in itself, with the ledger of the configuration.
 * 2. The operator signs in with a browser, pastes the address that the browser ended at, or types a code on another device.
 * 3. The server is connected at once. The command ends with an error if the sign-in failed.
 */

import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Login, LoginState } from '../../host/sign-in/logins.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, print, say } from '../../serve/terminal.ts'
import { openBrowser } from './browser.ts'
import { type LoginFlags, type LoginPort, openLoginPort, type ServerResult } from './login-port.ts'

export interface LoginCommandOptions extends LoginFlags {
  readonly device?: boolean
  readonly paste?: boolean
  /** false: --no-browser */
  readonly browser?: boolean
  readonly json?: boolean
  readonly for?: string
}

const POLL_MS = 200
const MAX_TEXT = 300

export async function login(server: string, options: LoginCommandOptions): Promise<void> {
  const port = await openLoginPort(server, options)
  try {
    const flow = options.device === true ? 'device' : options.paste === true ? 'browser' : undefined
    const started = await port.start(flow, options.for)
    if (started !== null) await signIn(port, started, options)
    report(server, await port.result(), options)
  } finally {
    await port.close()
  }
}

export async function logout(
  server: string,
  options: Pick<LoginCommandOptions, 'json' | 'for'> & LoginFlags,
): Promise<void> {
  const port = await openLoginPort(server, options)
  try {
    const { signed_in, revoked } = await port.logout(options.for)
    if (options.json) return print(JSON.stringify({ server, signed_out: signed_in, revoked }))
    if (!signed_in) return print(`nobody is signed in to ${account(server, options)}`)
    print(`signed out of ${account(server, options)}`)
    print(
      revoked
        ? 'the issuer has revoked the tokens'
        : 'the tokens are removed here, but the issuer did not revoke them: end the access in your account there too',
    )
  } finally {
    await port.close()
  }
}

async function signIn(port: LoginPort, started: Login, options: LoginCommandOptions): Promise<void> {
  if (options.json) print(JSON.stringify({ login: started }))
  else showLogin(started, options)
  const isInteractive = options.json !== true && process.stdin.isTTY && process.stdout.isTTY
  const { authorization_url } = started
  if (authorization_url !== null && isInteractive && options.paste !== true && options.browser !== false)
    openBrowser(authorization_url)
  const mayPaste = started.flow === 'browser' && (options.paste === true || isInteractive)
  const pasted = mayPaste ? readPasted(port) : undefined
  const over = new AbortController()
  try {
    const state = await Promise.race([
      ended(port, started, over.signal),
      ...(pasted === undefined ? [] : [pasted.failed]),
    ])
    if (state.status === 'failed')
      throw ToolError.of('PermissionError', oneLine(state.message ?? 'The sign-in failed.', MAX_TEXT))
  } finally {
    over.abort()
    pasted?.close()
  }
}

function showLogin(started: Login, { paste }: LoginCommandOptions): void {
  if (started.flow === 'device') {
    print(
      `Open ${oneLine(started.verification_uri ?? '', 2000)} on any device and enter the code ${oneLine(started.user_code ?? '', 80)}`,
    )
    if (started.verification_uri_complete !== null)
      print(`The code is in this link already: ${oneLine(started.verification_uri_complete, 4000)}`)
    return
  }
  print('Open this link and sign in:')
  print(oneLine(started.authorization_url ?? '', 20_000))
  if (paste === true)
    print(
      `The browser then goes to ${started.redirect_uri}, which may not be found. Copy its whole address and paste it here:`,
    )
  else if (process.stdin.isTTY) print('If the browser is on another machine, paste the address that it ends at here.')
}

/** Until the login is over. A host that is busy is asked again. */
async function ended(port: LoginPort, { id, expires_at }: Login, over: AbortSignal): Promise<LoginState> {
  while (Date.now() < expires_at + 5000 && !over.aborted) {
    const state = await port.state(id)
    if (state.status !== 'waiting') return state
    await pause(POLL_MS)
  }
  throw ToolError.of('TimeoutError', 'Nobody signed in in time. Run the command again.')
}

/** A person may try again. From a pipe, the first line decides. */
function readPasted(port: LoginPort) {
  const isPerson = process.stdin.isTTY
  const lines = createInterface({ input: process.stdin, terminal: false })
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  lines.on('line', (line) => {
    if (line.trim() === '') return
    port.finish(line.trim()).catch((thrown: unknown) => {
      if (!isPerson) reject(thrown)
      else say(thrown instanceof Error ? oneLine(thrown.message, MAX_TEXT) : 'this address was not accepted')
    })
  })
  return { failed: promise, close: () => lines.close() }
}

/** `notes`, or `notes for ada`. */
const account = (server: string, { for: principal }: Pick<LoginCommandOptions, 'for'>): string =>
  `${oneLine(server, 80)}${principal === undefined ? '' : ` for ${oneLine(principal, 80)}`}`

function report(server: string, result: ServerResult, options: LoginCommandOptions): void {
  if (options.json) return print(JSON.stringify(result))
  const { status } = result
  const name = account(server, options)
  if (status === null) {
    print(`signed in to ${name}`)
    return print('no host is listening: one that uses this ledger, now or later, connects with this sign-in by itself')
  }
  if (options.for !== undefined) return print(`signed in to ${name}: the next call of this caller uses the account`)
  if (status.state === 'ready') return print(`signed in to ${name}: ready, ${plural(status.tools, 'tool')}`)
  if (status.state === 'idle') return print(`signed in to ${name}: it starts on its first call`)
  const why = status.last_error === null ? '' : `: ${oneLine(status.last_error.message, MAX_TEXT)}`
  print(`signed in to ${name}, which is ${status.state.replaceAll('_', ' ')} now${why}`)
}
