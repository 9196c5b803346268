/**
 * Runs a `myrmex` command to its end and returns what it printed. `npm run test:long` starts a process for each command, as a person does.
 * `npm test` runs most commands one after the other in a warm process, because loading the command's modules took longer than the
 * commands and most of the time of all tests.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { LONG } from '../long.ts'
import { CLI } from '../paths.ts'
import type { WarmCommand, WarmEnd } from './warm-process.ts'

export interface CommandEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** what it reads from stdin; default: nothing */
  readonly input?: string
  /** always starts a process, for commands whose test is about the process itself */
  readonly ownProcess?: boolean
}

export function runToEnd(args: readonly string[], options: CommandOptions = {}): Promise<CommandEnd> {
  const { input, ownProcess = false } = options
  if (LONG || ownProcess || input !== undefined || warm?.isBusy === true) return runProcess(args, options)
  if (warm === undefined || warm.hasEnded) warm = new WarmProcess()
  return warm.run(args, options)
}

function runProcess(args: readonly string[], { cwd, env, input }: CommandOptions): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

const PROGRAM = join(import.meta.dirname, 'warm-process.ts')
let warm: WarmProcess | undefined

class WarmProcess {
  readonly #child: ChildProcess
  #onEnd: ((end: WarmEnd | undefined) => void) | undefined
  hasEnded = false

  constructor() {
    // Detached: the terminal in which the tests run must not become that of a command. It ends when the channel to this process closes.
    this.#child = fork(PROGRAM, [], { execArgv: [], detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.#child.on('message', (end: WarmEnd) => this.#onEnd?.(end))
    this.#child.once('exit', () => {
      this.hasEnded = true
      this.#onEnd?.(undefined)
    })
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get isBusy(): boolean {
    return this.#onEnd !== undefined
  }

  async run(args: readonly string[], { cwd = process.cwd(), env = process.env }: CommandOptions): Promise<CommandEnd> {
    const { promise, resolve } = Promise.withResolvers<WarmEnd | undefined>()
    this.#onEnd = resolve
    this.#child.channel?.ref()
    const command: WarmCommand = { args, cwd, env }
    this.#child.send(command)
    const end = await promise
    this.#onEnd = undefined
    this.#child.channel?.unref()
    if (end === undefined) throw new Error(`The warm process was killed while it ran: myrmex ${args.join(' ')}`)
    const { isReusable, ...result } = end
    if (!isReusable) this.hasEnded = true
    return result
  }
}
