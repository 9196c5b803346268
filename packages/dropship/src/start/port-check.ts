/** Who listens on a port: nobody, another shop of ours, or somebody else. */
import { connect } from 'node:net'

/** What the shop's server calls itself. */
export const SERVER_NAME = 'fleet'
const TIMEOUT_MS = 1000

/** Undefined: nobody. The name a Myrmex server gives itself, or an empty text for anything else. */
export async function serverNameAt(host: string, port: number): Promise<string | undefined> {
  if (!(await acceptsConnections(host, port))) return undefined
  const at = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`
  try {
    const response = await fetch(at, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { name } = (await response.json()) as { name?: unknown }
    return typeof name === 'string' ? name : ''
  } catch {
    // Whatever speaks there is none of ours, and that is all we wanted to know.
    return ''
  }
}

const acceptsConnections = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS })
    const end = (yes: boolean) => (): void => {
      socket.destroy()
      resolve(yes)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
