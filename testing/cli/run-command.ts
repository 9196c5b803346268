/** `myrmex run` and `myrmex runs` as processes that are watched while they go: piped, or in a terminal of their own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { order } from '../fixtures/runs/stock.agent.ts'
import { CLI, fixturePath } from '../paths.ts'
import { type CommandEnd, runToEnd } from './run-to-end.ts'

export const FLEET = fixturePath('runs')
export const PLAN = join(FLEET, 'coffee.plan.json')
/** A run that orders coffee: five steps, of which one changes something and costs 40. */
export const ORDER = ['run', 'Order coffee', '--fleet', FLEET, '--plan', PLAN, '--budget', '100']

/** A process that was started: what it printed so far, and how it ended. */
export class StartedCommand {
  readonly child: ChildProcess
  readonly ended: Promise<CommandEnd>
  stdout = ''
  stderr = ''

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.ended = new Promise((resolve) => {
      child.on('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }))
    })
  }

  /** Waits until it has printed that; on a terminal both streams are one. */
  async prints(text: string | RegExp): Promise<void> {
    const found = (): boolean =>
      typeof text === 'string' ? this.stdout.includes(text) || this.stderr.includes(text) : text.test(this.stdout)
    await vi.waitFor(
      () => {
        if (!found()) throw new Error(`It has not printed ${text}, but:\n${this.stdout}\n${this.stderr}`)
      },
      { timeout: 100_000, interval: 20 },
    )
  }

  type(keys: string): void {
    this.child.stdin?.write(keys)
  }
}

export class RunsFolder {
  /** where commands are typed: there is nothing in it */
  readonly here: string
  readonly address: string
  readonly ledger: Ledger
  readonly #folder: string
  readonly #book: string

  constructor(folder: string, address: string, ledger: Ledger) {
    this.address = address
    this.ledger = ledger
    this.#folder = folder
    this.#book = join(folder, 'book')
    this.here = join(folder, 'here')
    mkdirSync(this.here)
  }

  /** What was really ordered and sent back, a line each. */
  get book(): string[] {
    return existsSync(this.#book) ? readFileSync(this.#book, 'utf8').trim().split('\n') : []
  }

  #env(more: Record<string, string>): NodeJS.ProcessEnv {
    const { MYRMEX_BRAIN: _, ...env } = process.env
    return {
      ...env,
      NO_COLOR: '1',
      TZ: 'UTC',
      MYRMEX_LEDGER: this.address,
      MYRMEX_LEDGER_KEY: keyIn(this.#folder),
      RUNS_BOOK: this.#book,
      ...more,
    }
  }

  start(args: readonly string[], env: Record<string, string> = {}): StartedCommand {
    return this.#started(process.execPath, [CLI, ...args], env)
  }

  myrmex(args: readonly string[], env: Record<string, string> = {}): Promise<CommandEnd> {
    return runToEnd(args, { cwd: this.here, env: this.#env(env) })
  }

  /** In a session of its own, so that the terminal in which the tests run is not that of the command. */
  async withoutTerminal(args: readonly string[], input: string): Promise<CommandEnd> {
    const started = this.#started(process.execPath, [CLI, ...args], {}, true)
    started.child.stdin?.end(input)
    return started.ended
  }

  /** In a terminal of 100 columns, as script(1) makes one. */
  terminal(args: readonly string[], env: Record<string, string> = {}): StartedCommand {
    const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ')
    const command = `stty cols 100 rows 40; exec ${words}`
    return this.#started('script', ['-qec', command, '/dev/null'], { TERM: 'xterm', SHELL: '/bin/sh', ...env })
  }

  #started(program: string, args: readonly string[], env: Record<string, string>, detached = false): StartedCommand {
    const child = spawn(program, args, { cwd: this.here, env: this.#env(env), stdio: 'pipe', detached })
    onTestFinished(() => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    })
    return new StartedCommand(child)
  }
}

const keyIn = (folder: string): string => join(folder, 'ledger.key')

/** A ledger of its own in which the one tool that changes something is trusted. */
export async function openRunsFolder(address?: string): Promise<RunsFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-runs-'))
  const at = address ?? join(folder, 'ledger.db')
  const ledger = await openLedger(at, { keyFile: keyIn(folder) })
  await ledger.trustTool(order, 'ada', { ask: true })
  const shop = new RunsFolder(folder, at, ledger)
  onTestFinished(async () => {
    await ledger.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return shop
}

/** The id of the run that a command printed. */
export function runIdIn(text: string): string {
  const [id] = /r-[0-9a-f]{12}/.exec(text) ?? []
  if (id === undefined) throw new Error(`There is no run in:\n${text}`)
  return id
}

/** What a terminal shows in the end: colours and movements of the cursor taken away. */
export const visibleText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
  text.replace(/\u001b\[[?0-9;]*[A-Za-z]/g, '').replaceAll('\r', '')
