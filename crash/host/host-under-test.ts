/** The host's process, from the outside: started, called, measured, ended or killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServerSettings } from '../../packages/myrmex/src/host/settings.ts'
import type { Response } from '../server/connection.ts'
import { within } from '../time-limit.ts'
import { Calls } from './calls.ts'
import type { HeldResources, HostSettings, Order } from './host-process.ts'
import { MARK } from './marked-processes.ts'

const PROGRAM = fileURLToPath(new URL('host-process.ts', import.meta.url))
const UPSTREAM = fileURLToPath(new URL('fragile-upstream.ts', import.meta.url))

/** They are started hundreds of times: most of what that costs is to compile them. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/myrmex-crash/', import.meta.url))
const COMPILED = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? CACHE }

/** What is short so that it happens often here, and long for those that must not be disturbed by a busy machine. */
const TIMES = {
  victim: { timeoutMs: 1000, healthMs: 600, hungMs: 500 },
  steady: { timeoutMs: 60_000, healthMs: 10_000, hungMs: 60_000 },
}

export function settingsOf(name: string, kind: keyof typeof TIMES, mark: string, cwd: string): ServerSettings {
  return {
    name,
    endpoint: { where: 'child', command: process.execPath, args: [UPSTREAM], env: { ...COMPILED, [MARK]: mark }, cwd },
    start: 'eager',
    idleMs: 0,
    openMs: 30_000,
    ...TIMES[kind],
    trust: 'trusted',
    tools: [],
    roots: [],
    instructions: false,
    secrets: [],
    digest: name,
  }
}

/** No test may leave a host behind. */
const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class HostUnderTest {
  readonly #child: ChildProcess
  readonly #gone: Promise<unknown>
  #calls: Calls | undefined
  #said = ''

  constructor(wanted: HostSettings) {
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
    this.#child = fork(PROGRAM, [JSON.stringify(wanted)], { stdio: [...stdio], execArgv: ['--expose-gc'] })
    alive.add(this.#child)
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-8000)
    })
    this.#gone = once(this.#child, 'exit').then(([code, signal]) => {
      alive.delete(this.#child)
      return code ?? signal
    })
  }

  /** What it wrote to stderr last. */
  get said(): string {
    return this.#said
  }

  async ready(): Promise<void> {
    const [url] = (await within('starting the host', this.#heard())) as [string]
    this.#calls = new Calls(url)
  }

  async #heard(): Promise<unknown[]> {
    const died = this.#gone.then((how) => {
      throw new Error(`The host ended with ${how}. It says: ${this.#said}`)
    })
    return Promise.race([once(this.#child, 'message'), died])
  }

  async call(server: string, tool: string, args: object): Promise<Response | undefined> {
    return this.#calls?.call(`${server}.${tool}`, args)
  }

  /** To be asked for when nobody calls: what connections there were are closed for it. */
  async measure(): Promise<HeldResources> {
    this.#calls?.letGo()
    return (await this.#order('measure')) as HeldResources
  }

  /** As the operator would see them. */
  async servers(): Promise<readonly Record<string, unknown>[]> {
    return (await this.#order('servers')) as readonly Record<string, unknown>[]
  }

  async #order(order: Order): Promise<unknown> {
    this.#child.send(order)
    const [said] = await within(`the order ${order}`, this.#heard())
    return said
  }

  /** In order. Gives the exit code. */
  async end(): Promise<unknown> {
    this.#calls?.letGo()
    this.#child.send('end' satisfies Order)
    return within('the end of the host', this.#gone)
  }

  /** At once, wherever it is. */
  async kill(): Promise<void> {
    this.#calls?.letGo()
    this.#child.kill('SIGKILL')
    await this.#gone
  }
}
