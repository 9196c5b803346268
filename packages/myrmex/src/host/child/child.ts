/**
 * A child process that exchanges one message per line over stdin and stdout. It has its own process group and environment. After it is
 * ended no process of its group remains, and its output cannot fill the memory.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { transportError } from '../../client/transport-error.ts'
import { childProcess } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Json } from '../../protocol/json.ts'
import type { Message } from '../../protocol/jsonrpc.ts'
import { LineFrames } from '../../transport/frames.ts'
import { startedChildren } from '../../transport/started-children.ts'
import type { Scrubber } from '../link/scrubber.ts'
import { resolvesWithin } from '../link/time-limit.ts'
import type { Wire, WireHandlers } from '../link/wire.ts'
import type { ChildEndpoint } from '../settings.ts'
import { type LogSanitiser, MAX_LINE_BYTES } from './log-sanitiser.ts'
import { killGroupAndDescendants, signalGroup, waitForGroupExit } from './process-group.ts'
import type { Reaper } from './reaper.ts'
import { type Launch, plainLaunch, wrappedSignal } from './sandbox/launch.ts'
import { BURST_BYTES, UnaskedBytes } from './unasked-bytes.ts'

/** Limit for one message, and for unread data in its stdin. */
const MAX_BYTES = 64 * 1024 * 1024
/** After this many consecutive lines that are not messages the child is given up. */
const MAX_BAD_LINES = 1000
/** Node encodes shorter strings on the stack. Longer ones are faster as a buffer. */
const SHORT_STRING = 16_384
const GRACE_MS = 2000
/** Pipes may close after the exit, because other processes can hold them, or before it. */
const PIPE_GRACE_MS = 300

export interface ChildOptions {
  readonly name: string
  readonly scrubber: Scrubber
  readonly reaper: Reaper | undefined
  readonly log: LogSanitiser
  /** how to start it, in its sandbox; default: without one */
  readonly launch?: ((endpoint: ChildEndpoint) => Promise<Launch>) | undefined
  /** time to exit by itself, and again after SIGTERM */
  readonly graceMs?: number
}

export class Child implements Wire {
  readonly perRequest = false
  readonly #endpoint: ChildEndpoint
  readonly #options: ChildOptions
  readonly #exited = Promise.withResolvers<void>()
  #process: ChildProcessWithoutNullStreams | undefined
  #handlers: WireHandlers | undefined
  #state: 'new' | 'open' | 'ending' | 'closed' = 'new'
  #badLines = 0
  readonly #unasked = new UnaskedBytes()
  #unsent = ''
  #closing: NodeJS.Timeout | undefined
  #hasExited = false
  /** another program started it and reports how it ended */
  #isWrapped = false
  /** no process of the group is left, so its id may be reused */
  #isGone = false
  #ending: Promise<void> | undefined

  constructor(endpoint: ChildEndpoint, options: ChildOptions) {
    this.#endpoint = endpoint
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
      throw this.#startError(thrown)
    }
    if (this.#state === 'new') this.#state = 'open'
  }

  send(message: Message): undefined {
    if (this.#state !== 'open') return
    // One write per tick: answers arrive in batches, and so do the requests that follow.
    const first = this.#unsent === ''
    this.#unsent += `${JSON.stringify(message)}\n`
    if (first) process.nextTick(flush, this)
  }

  flush(): void {
    const text = this.#unsent
    this.#unsent = ''
    const { stdin } = this.#process ?? {}
    if (stdin === undefined || this.#state !== 'open') return
    stdin.write(text.length < SHORT_STRING ? text : Buffer.from(text))
    if (stdin.writableLength > MAX_BYTES) this.#unusable('does not read its input')
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
    await this.#groupEnded(GRACE_MS)
  }

  async #spawn(): Promise<void> {
    const { reaper, launch } = this.#options
    const { command, args, env, cwd, uid, gid, isWrapped } =
      launch === undefined ? plainLaunch(this.#endpoint) : await launch(this.#endpoint)
    // It was cut while its sandbox was tried: nothing may start now.
    if (this.#state !== 'new') throw new Error('the connection was closed before the server was started')
    this.#isWrapped = isWrapped
    reaper?.start()
    const child = childProcess().spawn(command, [...args], {
      cwd,
      env,
      ...(uid !== undefined && { uid, gid }),
      // An own group, so that its descendants can be ended too.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    // First of all: from now on the child ends when this process dies.
    if (child.pid !== undefined) reaper?.watch(child.pid)
    // Before it can connect to this process.
    if (child.pid !== undefined) startedChildren.add(child.pid)
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
      if (frames.pendingBytes > MAX_BYTES) this.#unusable(`sent a message of more than ${MAX_BYTES} bytes`)
    })
    child.stdout.on('end', () => frames.end())
    const stderr = new LineFrames((line) => this.#options.log.write(line), MAX_LINE_BYTES)
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.stderr.on('end', () => stderr.end())
    // A pipe error only means that the pipe is closed.
    child.stdin.on('error', () => this.#pipeClosed('input'))
    child.stdout.on('error', () => this.#pipeClosed('output'))
    child.stdout.on('close', () => this.#pipeClosed('output'))
    child.stderr.on('error', () => stderr.end())
    child.once('exit', (code, signal) => {
      const wrapped = this.#isWrapped && signal === null ? wrappedSignal(code) : undefined
      if (wrapped === undefined) this.#exit(child, code, signal)
      else this.#exit(child, null, wrapped)
    })
  }

  /** Usually the child is exiting: wait for the exit, which says more. */
  #pipeClosed(pipe: string): void {
    if (this.#state !== 'open' || this.#hasExited) return
    this.#closing ??= setTimeout(() => this.#unusable(`closed its ${pipe}`), PIPE_GRACE_MS)
  }

  #line(line: string): void {
    if (this.#state === 'closed') return
    // Not even parsed: that alone may take seconds.
    if (line.length > BURST_BYTES && this.#handlers?.expectsAnswer?.() === false) return this.#notAsked(line)
    let message: unknown
    try {
      message = this.#options.scrubber.parse(line)
    } catch {
      this.#notAsked(line)
      return this.badLine(line)
    }
    if (typeof message !== 'object' || message === null) return this.badLine(line)
    this.#badLines = 0
    if (this.#handlers?.onMessage(message) === false) this.#notAsked(line)
  }

  #notAsked({ length }: string): void {
    if (!this.#unasked.take(length)) this.#unusable('sent too much that nobody had asked for')
  }

  badLine(line: string): void {
    this.#options.log.write(`(stdout, not a message) ${line}`)
    if (++this.#badLines >= MAX_BAD_LINES)
      this.#unusable(`wrote ${MAX_BAD_LINES} consecutive lines that are not messages`)
  }

  /** The process is alive but unusable. */
  #unusable(how: string): void {
    if (this.#state !== 'open' && this.#state !== 'new') return
    this.#failed(`the server ${how}`, {})
    void this.cut()
  }

  #exit(child: ChildProcessWithoutNullStreams, code: number | null, signal: NodeJS.Signals | null): void {
    const { pid } = child
    if (pid !== undefined) startedChildren.delete(pid)
    clearTimeout(this.#closing)
    this.#hasExited = true
    // Descendants are useless now and may hold the pipes.
    if (pid !== undefined && this.#state !== 'ending') signalGroup(pid, 'SIGKILL')
    const done = (): void => {
      clearTimeout(timer)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      this.#failed(signal === null ? `exited with code ${code}` : `killed by ${signal}`, { code, signal })
      this.#options.log.end()
      this.#exited.resolve()
    }
    // The last output may still arrive.
    const timer = setTimeout(done, PIPE_GRACE_MS)
    child.once('close', done)
    if (this.#state !== 'ending' && pid !== undefined) void this.#groupEnded(GRACE_MS)
  }

  #failed(how: string, details: Record<string, Json>): void {
    const wasOpen = this.#state === 'open' || this.#state === 'new'
    if (!wasOpen) return
    this.#state = 'closed'
    const { name } = this.#options
    const { lastLines: stderr, cause: lastOutput } = this.#options.log
    this.#handlers?.onClose(
      ToolError.of('TransportError', `${name}: ${how}`, {
        peer: name,
        cause: how,
        codes: ['CONNECTION_CLOSED'],
        ...details,
        ...(stderr.length > 0 && { stderr }),
        ...(lastOutput !== undefined && { last_output: lastOutput }),
      }),
    )
  }

  async #endInOrder(): Promise<void> {
    const { pid } = this
    if (this.#state !== 'closed') this.#state = 'ending'
    if (pid === undefined || this.#process === undefined || this.#isGone) return
    const { graceMs = GRACE_MS } = this.#options
    this.#process.stdin.end()
    if (await this.#groupEnded(graceMs)) return
    signalGroup(pid, 'SIGTERM')
    if (await this.#groupEnded(graceMs)) return
    killGroupAndDescendants(pid)
    await this.#groupEnded(GRACE_MS)
  }

  /** Returns whether the whole group ended in time. */
  async #groupEnded(withinMs: number): Promise<boolean> {
    const { pid } = this
    if (pid === undefined || this.#isGone) return true
    const until = performance.now() + withinMs
    if (!(await resolvesWithin(this.#exited.promise, withinMs))) return false
    if (!(await waitForGroupExit(pid, Math.max(0, until - performance.now())))) return false
    this.#isGone = true
    this.#options.reaper?.forget(pid)
    return true
  }

  #startError(thrown: unknown): ToolError {
    const { name } = this.#options
    const { command, cwd } = this.#endpoint
    // From its sandbox: it says all there is to say.
    if (thrown instanceof ToolError) return thrown
    const code = String((thrown as { code?: unknown }).code)
    const why =
      code === 'ENOENT' && !existsSync(cwd) ? `the folder ${cwd} does not exist` : START_ERRORS[code]?.(command)
    if (why === undefined) return transportError(thrown, `${name}: ${command}`)
    return ToolError.of('TransportError', `${name}: ${why}`, { peer: name, command, cause: why, codes: [code] })
  }
}

const flush = (child: Child): void => child.flush()

const START_ERRORS: Readonly<Record<string, (command: string) => string>> = {
  ENOENT: (command) =>
    `the command ${command} does not exist. ${/\s/.test(command) ? 'Put its arguments into args' : 'Install it, or give its full path'}`,
  EACCES: (command) => `the command ${command} is not executable. Check its permissions`,
}
