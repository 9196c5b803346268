/** Refuses to start where it could not listen, or should not: with one line, before anything is made. */
import { connect } from 'node:net'
import { ToolError } from 'myrmex'
import type { loadPolicy } from 'myrmex/serve'

/** The name that the shop's server reports. */
const SERVER_NAME = 'fleet'
const CONNECT_TIMEOUT_MS = 1000
/** A shop that is busy answers late. Only a program that accepts connections and never answers takes this long. */
const ANSWER_TIMEOUT_MS = 15_000
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)$/

type Policy = Awaited<ReturnType<typeof loadPolicy>>

export const needsNoToken = ({ principals = [], jwt }: Policy): boolean =>
  process.env.MYRMEX_TOKEN === undefined && principals.length === 0 && jwt === undefined

/** The listener refuses it too, but only after the shop has been made, which takes half a minute. */
export function refuseExposed(host: string, policy: Policy): void {
  if (LOOPBACK.test(host) || !needsNoToken(policy)) return
  throw new ToolError(
    'RegistrationError',
    `${host} can be reached from other machines: set a bearer token in MYRMEX_TOKEN, or listen on 127.0.0.1.`,
  )
}

export async function refusePortInUse(host: string, port: number): Promise<void> {
  if (port === 0 || !(await acceptsConnections(host, port))) return
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  const isShop = (await serverNameAt(url)) === SERVER_NAME
  throw new ToolError(
    'UnavailableError',
    isShop
      ? `The shop is already running: ${url} (to stop it, press Ctrl-C where it was started).`
      : `Port ${port} is in use by another program. Choose another: npm start -- --port ${port + 1}`,
  )
}

/** Undefined: it is no Myrmex server. */
async function serverNameAt(url: string): Promise<unknown> {
  try {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    return ((await response.json()) as { name?: unknown }).name
  } catch {
    // Another program may answer anything, or nothing.
    return undefined
  }
}

const acceptsConnections = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS })
    const end = (accepted: boolean) => (): void => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
