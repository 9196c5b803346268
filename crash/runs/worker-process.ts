/** A leader as its parent holds it: started, listened to, put to sleep, killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { within } from '../time-limit.ts'
import type { KillMoment } from './kill-moment.ts'
import type { WorkerMessage, WorkerOptions } from './worker.ts'

export const PROGRAM = fileURLToPath(new URL('worker.ts', import.meta.url))
/** Hundreds of them are started: each finds what the first has compiled, and so does the next test. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/myrmex-crash/', import.meta.url))

/** The orders of any leader, whatever it may die at. */
type AnyOrders = Omit<WorkerOptions, 'moment'> & { readonly moment: KillMoment<string> }

/** No test may leave a process behind. */
const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class WorkerProcess {
  readonly orders: AnyOrders
  /** runs it said it has started */
  readonly started: string[] = []
  /** what it said went wrong */
  readonly failures: string[] = []
  /** its answers to messages */
  readonly answers: unknown[] = []
  readonly gone: Promise<void>
  /** as the ledger knows it, once it has got so far */
  owner: string | undefined
  readonly #child: ChildProcess
  readonly #ready: Promise<void>
  #complaint = ''
  #killed = false

  constructor(orders: AnyOrders, program = PROGRAM) {
    const { NODE_OPTIONS: _, ...env } = process.env
    this.orders = orders
    this.#child = fork(program, [JSON.stringify(orders)], {
      cwd: orders.home.folder,
      env: { ...env, NODE_COMPILE_CACHE: COMPILED },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    alive.add(this.#child)
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-4000)
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#ready = promise
    // Nobody need wait for it.
    promise.catch(() => {})
    this.#child.on('message', (said: WorkerMessage) => {
      if (said.word === 'ready') {
        this.owner = said.owner
        resolve()
      } else if (said.word === 'started') this.started.push(said.run)
      else if (said.word === 'answer') this.answers.push(said.answer)
      else this.failures.push(said.why)
    })
    this.gone = once(this.#child, 'close').then(() => {
      alive.delete(this.#child)
      reject(new Error(`A leader ended before it was ready. It says: ${this.#complaint}`))
    })
  }

  /** It has opened everything and begins to lead. */
  ready(): Promise<void> {
    return within('starting a leader', this.#ready)
  }

  /** It ended although neither the test nor its own order killed it. */
  get endedByItself(): boolean {
    return this.hasEnded && !this.#killed && !(this.#child.signalCode === 'SIGKILL' && this.orders.moment.kind === 'at')
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  get complaint(): string {
    return this.#complaint
  }

  /** It may be dead by the time this comes: then nobody hears it. */
  tell(what: object): void {
    if (this.#child.connected) this.#child.send(what, () => {})
  }

  /** Stops in the middle of whatever it does, and does not know of it. */
  sleep(): void {
    this.#child.kill('SIGSTOP')
  }

  wake(): void {
    this.#child.kill('SIGCONT')
  }

  kill(): void {
    this.#killed = true
    this.#child.kill('SIGKILL')
  }
}
