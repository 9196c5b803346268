/**
 * For the whole run of the tests: a door that gives fresh databases. PostgreSQL starts with the first who knocks, serves
 * every worker, and is gone when the run is over, however it went.
 */
import { createServer } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { PostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** port on loopback; a client that connects gets an address, or the reason why there is none */
    postgresDoor: number
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  const freshDatabase = async (): Promise<string> => {
    server ??= import('./postgres-server.ts').then(({ PostgresServer }) => PostgresServer.create())
    return (await server).freshDatabase()
  }
  const door = createServer((socket) => {
    freshDatabase().then(
      (address) => socket.end(JSON.stringify({ address })),
      (error: unknown) => socket.end(JSON.stringify({ refused: String(error) })),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  project.provide('postgresDoor', (door.address() as { port: number }).port)
  return async () => {
    door.close()
    // One that did not start has cleaned up after itself, and its clients got the reason.
    const started = await server?.catch(() => undefined)
    await started?.remove()
  }
}
