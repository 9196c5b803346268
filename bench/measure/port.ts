// Ports on loopback: a free one, and waiting until a server listens on it.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const PATIENCE_MS = 60_000

/**
 * Resolves when something listens. By a bare connection, because a request would leave one behind that the server lets go of just when
 * the client wants to use it.
 */
export async function listening(port: number): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (performance.now() > end)
        throw new Error(`nothing listens on port ${port} after ${PATIENCE_MS / 1000} s`, { cause: error })
      await pause(10)
    } finally {
      socket.destroy()
    }
  }
}
