// One server under measurement, as a child process: started with the Node that runs the bench, watched for an early
// end, asked for the CPU time it has used, and always ended by its own pid.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import process from 'node:process'
import { WrongAnswer } from './check-answer.ts'
import { processStat } from './cpu.ts'

export type Command = { args: string[]; env?: Record<string, string> }

/** No piece of work here takes longer than a few seconds; an answer that never comes must not hang the bench. */
const patience = 60_000

const alive = new Set<ServerProcess>()
process.on('exit', () => {
  for (const server of alive) server.child.kill('SIGKILL')
})

/** The same surroundings for every server, whatever the bench itself was started with. */
export function serverEnv(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  return { ...inherited, NODE_ENV: 'production' }
}

export class ServerProcess {
  readonly name: string
  readonly child: ChildProcessWithoutNullStreams
  #complaint = ''
  #ended: Promise<void>
  #fail: (error: Error) => void = () => {}

  constructor(name: string, command: Command) {
    this.name = name
    const env = { ...serverEnv(), ...command.env }
    this.child = spawn(process.execPath, command.args, { env, stdio: 'pipe' })
    alive.add(this)
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString()).slice(-2000)
    })
    // A server that ends while we write to it shows as EPIPE here and as an early end below; the latter tells more.
    this.child.stdin.on('error', () => {})
    this.#ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        alive.delete(this)
        resolve()
        this.#fail(new Error(`${name} ended early (${signal ?? `exit code ${code}`})\n${this.#complaint}`))
      })
    })
  }

  /** Runs a piece of work that fails as soon as the process ends under it, or when it takes absurdly long. */
  async during<T>(work: (fail: (error: Error) => void) => Promise<T>): Promise<T> {
    const broken = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    if (this.child.exitCode !== null) throw new Error(`${this.name} is not running\n${this.#complaint}`)
    const late = () => this.#fail(new Error(`${this.name} left something unanswered for ${patience / 1000} s`))
    const timer = setTimeout(late, patience)
    try {
      return await Promise.race([work(this.#fail), broken])
    } catch (error) {
      if (error instanceof WrongAnswer) error.message = `${this.name} gave a wrong answer: ${error.message}`
      throw error
    } finally {
      clearTimeout(timer)
      this.#fail = () => {}
    }
  }

  /** Seconds of CPU, user and system, all threads. Undefined where the system does not tell. */
  cpuSeconds(): number | undefined {
    return this.child.pid === undefined ? undefined : processStat(this.child.pid)?.cpu
  }

  /**
   * Ends a stdio server as clients do, by closing its input, so that it may put away what it keeps between starts; one that
   * listens by a signal.
   */
  async leave(signal?: 'SIGTERM'): Promise<void> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000)
    this.#fail = () => {}
    if (signal === undefined) this.child.stdin.end()
    else this.child.kill(signal)
    await this.#ended
    clearTimeout(timer)
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.#ended
  }
}
