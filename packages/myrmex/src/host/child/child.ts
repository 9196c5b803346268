/**
 * A program spoken to on its stdin and stdout, one message a line. It runs in a process group of its own, with an environment of
 * its own; whatever it does, nothing of it is left when it was ended, and nothing of it fills our memory.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { transportError } from '../../client/transport-error.ts'
import { childProcess } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Json } from '../../protocol/json.ts'
import type { Message } from '../../protocol/jsonrpc.ts'
import { LineFrames } from '../../transport/frames.ts'
import type { Scrubber } from '../link/scrubber.ts'
import type { Wire, WireHandlers } from '../link/wire.ts'
import type { ChildEndpoint } from '../settings.ts'
import { childEnvironment } from './child-environment.ts'
import type { LogSanitiser } from './log-sanitiser.ts'
import { killGroupAndDescendants, signalGroup, waitForGroupExit } from './process-group.ts'
import type { Reaper } from './reaper.ts'
import { StderrLines } from './stderr-lines.ts'

/** A longer message, or as much that it does not read, and it is given up. */
const MOST_BYTES = 64 * 1024 * 1024
/** So many lines in a row that are no message, and it speaks something else. */
const MOST_NOISE = 1000
/** Up to here Node encodes a text on the stack; a longer one is sooner made bytes by ourselves. */
const SHORT = 16_384
const PATIENCE_MS = 2000
/** How long its pipes may outlive a child, since somebody outside its group may hold them, or the other way round. */
const PIPES_MS = 300

export interface ChildOptions {
  readonly name: string
  readonly scrubber: Scrubber
  readonly reaper: Reaper | undefined
  readonly log: LogSanitiser
  /** how long it may take to end by itself, and then again after it was told to */
  readonly graceMs?: number
}

export class Child implements Wire {
  readonly perRequest = false
  readonly #place: ChildEndpoint
  readonly #options: ChildOptions
  readonly #exited = Promise.withResolvers<void>()
  #process: ChildProcessWithoutNullStreams | undefined
  #handlers: WireHandlers | undefined
  #state: 'new' | 'open' | 'ending' | 'closed' = 'new'
  #noise = 0
  #unsent = ''
  #closing: NodeJS.Timeout | undefined
  #hasExited = false
  /** nothing is left of the group: its number may be somebody else's by now */
  #isGone = false
  #ending: Promise<void> | undefined

  constructor(place: ChildEndpoint, options: ChildOptions) {
    this.#place = place
    this.#options = options
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  async start(handlers: WireHandlers): Promise<void> {
    this.#handlers = handlers
    try {
      await this.#spawn()
    } catch (thrown) {
      this.#state = 'closed'
      throw this.#unstarted(thrown)
    }
    if (this.#state === 'new') this.#state = 'open'
  }

  send(message: Message): undefined {
    if (this.#state !== 'open') return
    // What is sent in one tick is written in one go: answers come many at a time, and so do the requests that follow them.
    const first = this.#unsent === ''
    this.#unsent += `${JSON.stringify(message)}\n`
    if (first) process.nextTick(flush, this)
  }

  flush(): void {
    const text = this.#unsent
    this.#unsent = ''
    const { stdin } = this.#process ?? {}
    if (stdin === undefined || this.#state !== 'open') return
    stdin.write(text.length < SHORT ? text : Buffer.from(text))
    if (stdin.writableLength > MOST_BYTES) this.#broke('does not read what it is sent')
  }

  explain(thrown: unknown): Error {
    return this.#options.scrubber.error(transportError(thrown, this.#options.name))
  }

  setVersion(): void {}

  end(): Promise<void> {
    this.#ending ??= this.#endInOrder()
    return this.#ending
  }

  async cut(): Promise<void> {
    const { pid } = this
    if (this.#state !== 'closed') this.#state = 'ending'
    if (pid === undefined || this.#isGone) return
    killGroupAndDescendants(pid)
    await this.#left(PATIENCE_MS)
  }

  async #spawn(): Promise<void> {
    const { command, args, env, cwd } = this.#place
    const { reaper } = this.#options
    reaper?.start()
    const child = childProcess().spawn(command, [...args], {
      cwd,
      env: childEnvironment(env),
      // A group of its own: what it starts can be ended with it.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    // Before anything else: from here on it must not outlive us.
    if (child.pid !== undefined) reaper?.watch(child.pid)
    this.#process = child
    this.#listen(child)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', reject)
    })
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const frames = new LineFrames((line) => this.#line(line))
    child.stdout.on('data', (chunk: Buffer) => {
      frames.push(chunk)
      if (frames.pendingBytes > MOST_BYTES) this.#broke(`sent a message of more than ${MOST_BYTES} bytes`)
    })
    child.stdout.on('end', () => frames.end())
    const stderr = new StderrLines((line) => this.#options.log.write(line))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.stderr.on('end', () => stderr.end())
    // An error of a pipe says no more than that it is closed.
    child.stdin.on('error', () => this.#closed('input'))
    child.stdout.on('error', () => this.#closed('output'))
    child.stdout.on('close', () => this.#closed('output'))
    child.stderr.on('error', () => stderr.end())
    child.once('exit', (code, signal) => this.#exit(child, code, signal))
  }

  /** As a rule that is how its end begins, and how it ended says more. */
  #closed(pipe: string): void {
    if (this.#state !== 'open' || this.#hasExited) return
    this.#closing ??= setTimeout(() => this.#broke(`closed its ${pipe}`), PIPES_MS)
  }

  #line(line: string): void {
    if (this.#state === 'closed') return
    let message: unknown
    try {
      message = this.#options.scrubber.parse(line)
    } catch {
      return this.badLine(line)
    }
    if (typeof message !== 'object' || message === null) return this.badLine(line)
    this.#noise = 0
    this.#handlers?.onMessage(message)
  }

  /** Something on its stdout that is no message. */
  badLine(line: string): void {
    this.#options.log.write(`(on stdout, no message) ${line}`)
    if (++this.#noise >= MOST_NOISE) this.#broke(`wrote ${MOST_NOISE} lines in a row that are no messages`)
  }

  /** It is still there, but nobody can speak with it any more. */
  #broke(how: string): void {
    if (this.#state !== 'open' && this.#state !== 'new') return
    this.#failed(`it ${how}`, {})
    void this.cut()
  }

  #exit(child: ChildProcessWithoutNullStreams, code: number | null, signal: NodeJS.Signals | null): void {
    const { pid } = child
    clearTimeout(this.#closing)
    this.#hasExited = true
    // What it leaves behind nobody needs, and it may hold the pipes.
    if (pid !== undefined && this.#state !== 'ending') signalGroup(pid, 'SIGKILL')
    const done = (): void => {
      clearTimeout(timer)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      this.#failed(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`, { code, signal })
      this.#options.log.end()
      this.#exited.resolve()
    }
    // What it said last is still on its way.
    const timer = setTimeout(done, PIPES_MS)
    child.once('close', done)
    if (this.#state !== 'ending' && pid !== undefined) void this.#left(PATIENCE_MS)
  }

  #failed(how: string, details: Record<string, Json>): void {
    const wasOpen = this.#state === 'open' || this.#state === 'new'
    if (!wasOpen) return
    this.#state = 'closed'
    const { name } = this.#options
    const stderr = this.#options.log.lastLines
    this.#handlers?.onClose(
      ToolError.of('TransportError', `${name}: ${how}`, {
        peer: name,
        cause: how,
        codes: ['CONNECTION_CLOSED'],
        ...details,
        ...(stderr.length > 0 && { stderr }),
      }),
    )
  }

  async #endInOrder(): Promise<void> {
    const { pid } = this
    if (this.#state !== 'closed') this.#state = 'ending'
    if (pid === undefined || this.#process === undefined || this.#isGone) return
    const { graceMs = PATIENCE_MS } = this.#options
    this.#process.stdin.end()
    if (await this.#left(graceMs)) return
    signalGroup(pid, 'SIGTERM')
    if (await this.#left(graceMs)) return
    killGroupAndDescendants(pid)
    await this.#left(PATIENCE_MS)
  }

  /** Whether all of the group was gone within that time. */
  async #left(withinMs: number): Promise<boolean> {
    const { pid } = this
    if (pid === undefined || this.#isGone) return true
    const until = performance.now() + withinMs
    if (!(await within(this.#exited.promise, withinMs))) return false
    if (!(await waitForGroupExit(pid, Math.max(0, until - performance.now())))) return false
    this.#isGone = true
    this.#options.reaper?.forget(pid)
    return true
  }

  #unstarted(thrown: unknown): ToolError {
    const { name } = this.#options
    const { command, cwd } = this.#place
    const code = String((thrown as { code?: unknown }).code)
    const why = code === 'ENOENT' && !existsSync(cwd) ? `the folder ${cwd} does not exist` : WHY[code]?.(command)
    if (why === undefined) return transportError(thrown, `${name}: ${command}`)
    return ToolError.of('TransportError', `${name}: ${why}`, { peer: name, command, cause: why, codes: [code] })
  }
}

const flush = (child: Child): void => child.flush()

const WHY: Readonly<Record<string, (command: string) => string>> = {
  ENOENT: (command) =>
    `the command ${command} does not exist. ${/\s/.test(command) ? 'Its arguments belong into args' : 'Install it, or give its full path'}`,
  EACCES: (command) => `the command ${command} may not be run. Look at its permissions`,
}

/** Whether it came about within that time. */
async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
