/** One life of a server: our own command line, started on a ledger, until it is killed or stopped. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { within } from '../time-limit.ts'
import type { CrashConnection, Era } from './connection.ts'
import { HttpConnection } from './http-connection.ts'
import { StdioConnection } from './stdio-connection.ts'

export const CLI = fileURLToPath(new URL('../../packages/myrmex/bin/myrmex.js', import.meta.url))
const TOOLS = fileURLToPath(new URL('crash.tools.ts', import.meta.url))

/** Where everything of one ledger is. */
export interface LedgerHome {
  readonly engine: 'sqlite' | 'postgres'
  readonly folder: string
  /** of the ledger */
  readonly address: string
  readonly key: string
  readonly effects: string
}

export interface ServerRoute {
  readonly transport: 'stdio' | 'http'
  readonly era: Era
}

/** No test may leave a server behind. */
const alive = new Set<ChildProcessWithoutNullStreams>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class ServerProcess {
  readonly way: ServerRoute
  readonly #child: ChildProcessWithoutNullStreams
  readonly #gone: Promise<unknown>
  #complaint = ''
  #wire: StdioConnection | HttpConnection | undefined
  #killed = false
  /** called with every answer */
  onAnswer: () => void = () => {}

  constructor(home: LedgerHome, way: ServerRoute) {
    const { MYRMEX_POLICY: _, MYRMEX_TOKEN: __, NODE_OPTIONS: ___, ...inherited } = process.env
    const args = [CLI, 'serve', TOOLS, '--ledger', home.address, '--ledger-key', home.key]
    if (way.transport === 'http') args.push('--http', '0')
    this.way = way
    this.#child = spawn(process.execPath, args, {
      cwd: home.folder,
      env: { ...inherited, CRASH_EFFECTS: home.effects },
      stdio: 'pipe',
    })
    alive.add(this.#child)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-4000)
    })
    // Writing to one that has just died is what this test is about.
    this.#child.stdin.on('error', () => {})
    this.#gone = once(this.#child, 'close').then(() => {
      alive.delete(this.#child)
      this.#wire?.close()
    })
  }

  get killed(): boolean {
    return this.#killed
  }

  /** What it wrote to stderr last. */
  get complaint(): string {
    return this.#complaint
  }

  /** A way to it, once it answers. */
  ready(): Promise<CrashConnection> {
    return within('starting a server', this.#ready())
  }

  async #ready(): Promise<CrashConnection> {
    const heard = (): void => this.onAnswer()
    if (this.way.transport === 'stdio') this.#wire = new StdioConnection(this.#child, this.way.era, heard)
    else {
      const origin = await this.#origin()
      this.#wire = origin === undefined ? undefined : new HttpConnection(origin, this.way.era, heard)
    }
    const wire = this.#wire
    if (wire === undefined || !(await wire.greet()))
      throw new Error(`The server does not start. It says: ${this.#complaint}`)
    return wire
  }

  /** Where it listens; undefined if it ends before it does. */
  async #origin(): Promise<string | undefined> {
    const ended = this.#gone.then(() => true)
    for (;;) {
      const origin = /tools at (http:\/\/127\.0\.0\.1:\d+)/.exec(this.#complaint)?.[1]
      if (origin !== undefined) return origin
      const more = once(this.#child.stderr, 'data').then(() => false)
      if (await Promise.race([ended, more])) return undefined
    }
  }

  /** At once, wherever it is. */
  kill(): void {
    this.#killed = true
    this.#child.kill('SIGKILL')
    this.#wire?.close()
  }

  /** Resolves when it is dead and everything that it sent has been read. */
  async gone(): Promise<void> {
    await this.#gone
  }

  /** In order, after what is in flight. */
  async end(): Promise<void> {
    if (this.way.transport === 'stdio') this.#child.stdin.end()
    else this.#child.kill('SIGTERM')
    await this.#gone
    const { exitCode, signalCode } = this.#child
    if (exitCode !== 0) throw new Error(`The server ended with ${exitCode ?? signalCode}. It says: ${this.#complaint}`)
  }
}
