/**
 * A program spoken to on its stdin and stdout, one message a line. It runs in a process group of its own, with an environment of
 * its own; whatever it does, nothing of it is left when it was ended, and nothing of it fills our memory.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { transportError } from '../../client/broken.ts'
import { childProcess } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Json } from '../../protocol/json.ts'
import type { Message } from '../../protocol/jsonrpc.ts'
import { Frames } from '../../transport/frames.ts'
import type { Scrubber } from '../link/scrubber.ts'
import type { Wire, WireHandlers } from '../link/wire.ts'
import type { ChildPlace } from '../settings.ts'
import { childEnvironment } from './environment.ts'
import { groupGone, killFamily, signalGroup } from './group.ts'
import type { Keeper } from './keeper.ts'
import { Stderr } from './stderr.ts'
import type { Told } from './told.ts'

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
  readonly keeper: Keeper | undefined
  readonly told: Told
  /** how long it may take to end by itself, and then again after it was told to */
  readonly patienceMs?: number
}

export class Child implements Wire {
  readonly perRequest = false
  readonly #place: ChildPlace
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

  constructor(place: ChildPlace, options: ChildOptions) {
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
    killFamily(pid)
    await this.#left(PATIENCE_MS)
  }

  async #spawn(): Promise<void> {
    const { command, args, env, cwd } = this.#place
    const { keeper } = this.#options
    keeper?.ready()
    const child = childProcess().spawn(command, [...args], {
      cwd,
      env: childEnvironment(env),
      // A group of its own: what it starts can be ended with it.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    // Before anything else: from here on it must not outlive us.
    if (child.pid !== undefined) keeper?.watch(child.pid)
    this.#process = child
    this.#listen(child)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', reject)
    })
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const frames = new Frames((line) => this.#line(line))
    child.stdout.on('data', (chunk: Buffer) => {
      frames.push(chunk)
      if (frames.held > MOST_BYTES) this.#broke(`sent a message of more than ${MOST_BYTES} bytes`)
    })
    child.stdout.on('end', () => frames.end())
    const stderr = new Stderr((line) => this.#options.told.say(line))
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
      return this.noise(line)
    }
    if (typeof message !== 'object' || message === null) return this.noise(line)
    this.#noise = 0
    this.#handlers?.message(message)
  }

  /** Something on its stdout that is no message. */
  noise(line: string): void {
    this.#options.told.say(`(on stdout, no message) ${line}`)
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
      this.#options.told.end()
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
    const stderr = this.#options.told.last
    this.#handlers?.closed(
      new ToolError('TransportError', `${name}: ${how}`, {
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
    const { patienceMs = PATIENCE_MS } = this.#options
    this.#process.stdin.end()
    if (await this.#left(patienceMs)) return
    signalGroup(pid, 'SIGTERM')
    if (await this.#left(patienceMs)) return
    killFamily(pid)
    await this.#left(PATIENCE_MS)
  }

  /** Whether all of the group was gone within that time. */
  async #left(withinMs: number): Promise<boolean> {
    const { pid } = this
    if (pid === undefined || this.#isGone) return true
    const until = performance.now() + withinMs
    if (!(await within(this.#exited.promise, withinMs))) return false
    if (!(await groupGone(pid, Math.max(0, until - performance.now())))) return false
    this.#isGone = true
    this.#options.keeper?.forget(pid)
    return true
  }

  #unstarted(thrown: unknown): ToolError {
    const { name } = this.#options
    const { command, cwd } = this.#place
    const code = String((thrown as { code?: unknown }).code)
    const why = code === 'ENOENT' && !existsSync(cwd) ? `the folder ${cwd} does not exist` : WHY[code]?.(command)
    if (why === undefined) return transportError(thrown, `${name}: ${command}`)
    return new ToolError('TransportError', `${name}: ${why}`, { peer: name, command, cause: why, codes: [code] })
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
