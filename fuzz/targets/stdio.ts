/**
 * stdio, with bytes: the transport on streams of this process (fast), and a real `myrmex serve` in a child process. A case is a few
 * lines in chunks of any size, then a ping of the fuzz: once that is answered, everything before it must have been answered too.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { measureProcess, probeEnvironment } from '@myrmex/testing/measure-process'
import { CLI } from '@myrmex/testing/paths'
import { serveStdio } from 'myrmex'
import { CaseFailure, checkOwnMessage, checkResponse, dueAnswer, isListen, isTooLarge, shown } from '../check-reply.ts'
import { hostileLine } from '../generate/hostile-message.ts'
import { type Era, INITIALIZE, toRequest } from '../generate/valid-messages.ts'
import { OwnTime, type RunningTarget, randomOf, type Target, type TargetOptions } from '../target.ts'
import { openFuzzedServer } from './fuzzed-server.ts'

const LINES = 24
const REVISION = '2025-11-25'

interface Peer {
  readonly input: Writable
  readonly output: Readable
  /** a process of its own, and the file in which it writes what it holds */
  readonly child?: { readonly pid: number; readonly probe: string }
  assertNoFault(): void
  close(): Promise<void>
}

export const streamTarget = (share: number): Target => ({
  name: 'stdio streams',
  share,
  open: async (options) => {
    const fuzzed = await openFuzzedServer(options.folder)
    const [input, output] = [new PassThrough(), new PassThrough()]
    serveStdio(fuzzed.server, { input, output })
    return openStdio('stdio streams', options, {
      input,
      output,
      assertNoFault: fuzzed.assertNoFault,
      close: async () => {
        input.end()
        await fuzzed.close()
      },
    })
  },
})

const TOOLS = join(import.meta.dirname, '..', 'fuzz.tools.ts')
const FAULT = /internal error|unhandled|uncaught/i

export const childTarget = (share: number): Target => ({
  name: 'stdio child',
  share,
  open: async (options) => {
    const probe = join(options.folder, 'probe.json')
    const env = { ...process.env, MYRMEX_LEDGER: join(options.folder, 'ledger.db'), ...probeEnvironment(probe) }
    const stdio = ['pipe', 'pipe', 'pipe'] as const
    const child: ChildProcess = spawn(process.execPath, [CLI, 'serve', TOOLS], {
      stdio: [...stdio],
      env,
      cwd: options.folder,
    })
    process.on('exit', () => child.kill('SIGKILL'))
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-20_000)
    })
    child.stdin?.on('error', () => {})
    return openStdio('stdio child', options, {
      input: child.stdin as Writable,
      output: child.stdout as Readable,
      child: { pid: child.pid as number, probe },
      assertNoFault() {
        if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${said}`)
        const fault = FAULT.exec(said)
        if (fault === null) return
        const why = said.slice(fault.index, fault.index + 1000)
        said = ''
        throw new CaseFailure(`an internal fault: ${why}`)
      },
      close: async () => {
        const exited = once(child, 'exit')
        child.stdin?.end()
        await exited
        if (child.exitCode !== 0) throw new Error(`The server ended with ${child.exitCode}: ${said}`)
      },
    })
  },
})

/** Everything that the peer writes, line by line, until the line that a case waits for. */
class Answers {
  #responses: unknown[] = []
  #partial = ''
  #fence: { readonly id: string; readonly done: () => void } | undefined
  #wrong: unknown
  readonly #onQuestion: (id: unknown) => void

  constructor(output: Readable, onQuestion: (id: unknown) => void) {
    this.#onQuestion = onQuestion
    output.setEncoding('utf8').on('data', (text: string) => this.#read(text))
  }

  /** The responses before the one with this id. */
  async until(id: string): Promise<unknown[]> {
    await new Promise<void>((done) => {
      this.#fence = { id, done }
    })
    const wrong = this.#wrong
    this.#wrong = undefined
    if (wrong !== undefined) throw wrong
    return this.#responses.splice(0)
  }

  #read(text: string): void {
    const lines = (this.#partial + text).split('\n')
    this.#partial = lines.pop() ?? ''
    for (const line of lines) {
      try {
        this.#take(JSON.parse(line) as { id?: unknown; method?: unknown })
      } catch (thrown) {
        this.#wrong ??=
          thrown instanceof CaseFailure ? thrown : new CaseFailure(`a line that is no message: ${shown(line)}`)
      }
    }
  }

  #take(message: { id?: unknown; method?: unknown }): void {
    if (message.method !== undefined) {
      checkOwnMessage(message)
      if (message.id !== undefined) this.#onQuestion(message.id)
      return
    }
    if (this.#fence !== undefined && message.id === this.#fence.id) {
      const { done } = this.#fence
      this.#fence = undefined
      return done()
    }
    this.#responses.push(message)
    checkResponse(message)
  }
}

async function openStdio(name: string, options: TargetOptions, peer: Peer): Promise<RunningTarget> {
  const write = (value: object): void => void peer.input.write(`${JSON.stringify(value)}\n`)
  // The tool that asked gets an answer that ends its call.
  const questions: unknown[] = []
  const answers = new Answers(peer.output, (id) => questions.push(id))
  write(toRequest('init', INITIALIZE(REVISION), 'legacy'))
  // Not while the lines of a case are written: an answer must be a line of its own.
  const answerQuestions = (): void => {
    for (const id of questions.splice(0)) write({ jsonrpc: '2.0', id, result: { action: 'decline' } })
  }
  const ping = (id: string): Promise<unknown[]> => {
    // Streams of this process may answer within `write`.
    const answered = answers.until(id)
    write({ jsonrpc: '2.0', id, method: 'ping' })
    return answered
  }
  await ping('ready')

  const linesOf = (number: number): Buffer[] => {
    const random = randomOf(name, options, number)
    const era: Era = random.often(0.5) ? 'modern' : 'legacy'
    return Array.from({ length: LINES }, (_, part) => hostileLine(era, random, number, part))
  }
  const own = new OwnTime()
  return {
    own,
    async run(number) {
      const lines = own.of(() => linesOf(number))
      const expected = own.of(() => new ExpectedAnswers(lines))
      const random = randomOf(`${name} chunks`, options, number)
      const bytes = Buffer.concat(lines.flatMap((line) => [line, NEWLINE]))
      for (let at = 0; at < bytes.length; ) {
        const end = at + (random.often(0.5) ? random.between(1, 4096) : bytes.length)
        peer.input.write(bytes.subarray(at, end))
        at = end
      }
      // Ends subscriptions, which stay open otherwise; a call that waits for something is answered before the second ping.
      for (const requestId of expected.listening)
        write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
      for (let round = 0; round < MOST_ROUNDS; round++) {
        answerQuestions()
        for (const response of await ping(`alive ${number} ${round}`)) expected.take(response)
        if (expected.isComplete) break
        await new Promise((resolve) => setTimeout(resolve, round))
      }
      expected.assertComplete()
      peer.assertNoFault()
      return lines.length
    },
    describe: (number) =>
      linesOf(number)
        .map((line) => shown(line.toString()))
        .join('\n'),
    ...(peer.child && { pids: [peer.child.pid], memory: () => heapOf(peer.child as NonNullable<Peer['child']>) }),
    close: () => peer.close(),
  }
}

/** Calls that wait for a timer of at most 5 ms end within this many pings, each of which waits a millisecond longer. */
const MOST_ROUNDS = 120
const NEWLINE = Buffer.from('\n')

/** The answers that the lines of a case must have, by id, and those that they may have. */
class ExpectedAnswers {
  readonly listening: unknown[] = []
  readonly #due = new Map<unknown, number>()
  readonly #possible = new Map<unknown, number>()

  constructor(lines: readonly Buffer[]) {
    for (const line of lines) this.#expect(line.toString())
  }

  get isComplete(): boolean {
    return this.#due.size === 0
  }

  #expect(line: string): void {
    // An empty line is no message.
    if (line === '' || line === '\r') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return count(this.#due, undefined, 1)
    }
    if (isTooLarge(line, value)) return count(this.#due, undefined, 1)
    const due = dueAnswer(value)
    if (due.kind !== 'one') return
    // A subscription stays open, and has no answer if it is cancelled.
    if (!isListen(value)) return count(this.#due, due.id, 1)
    this.listening.push(due.id)
    count(this.#possible, due.id, 1)
  }

  take(response: unknown): void {
    const { id } = response as { id?: unknown }
    const from = [this.#due, this.#possible].find((answers) => answers.has(id))
    if (from === undefined) throw new CaseFailure(`an answer where none is due: ${shown(response)}`)
    count(from, id, -1)
  }

  assertComplete(): void {
    if (this.isComplete) return
    throw new CaseFailure(
      `no answer to ${[...this.#due.keys()].map((id) => shown(id ?? 'what is no message')).join(', ')}`,
    )
  }
}

function count(answers: Map<unknown, number>, id: unknown, by: number): void {
  const next = (answers.get(id) ?? 0) + by
  if (next === 0) answers.delete(id)
  else answers.set(id, next)
}

const heapOf = async ({ pid, probe }: NonNullable<Peer['child']>): Promise<number> =>
  (await measureProcess(pid, probe)).heapBytes
