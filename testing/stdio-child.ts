/** A real child on stdio: raw lines in, parsed lines out, and everything it did to its streams. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { MessageChecker } from './message-checker/message-checker.ts'
import { CLI, fixturePath } from './paths.ts'

const TOOLS = fixturePath('all.tools.ts')

export interface StdioMessage {
  id?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  result?: any
  error?: { code: number; message: string; data?: unknown }
  method?: string
}

export class StdioChild {
  readonly process: ChildProcess
  /** stdout, line by line, unparsed */
  readonly raw: string[] = []
  stderr = ''
  #partial = ''
  readonly #judge = new MessageChecker()
  readonly #conversation = this.#judge.conversation()
  #waiting: (() => void)[] = []

  constructor(args: string[] = ['serve', TOOLS], env: NodeJS.ProcessEnv = process.env, program = CLI) {
    this.process = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env })
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      this.#wake()
    })
    this.process.stdin?.on('error', () => {})
  }

  #read(text: string): void {
    // Big frames come in many chunks: only the chunk at hand is looked at.
    if (!text.includes('\n')) {
      this.#partial += text
      return
    }
    const lines = (this.#partial + text).split('\n')
    this.#partial = lines.pop() ?? ''
    this.raw.push(...lines)
    for (const line of lines) this.#conversation.judge(line)
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  write(text: string | Buffer): void {
    this.process.stdin?.write(text)
  }

  send(...messages: unknown[]): void {
    for (const message of messages) this.#conversation.fromClient(JSON.stringify(message))
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  }

  get lines(): StdioMessage[] {
    return this.raw.map((line) => JSON.parse(line) as StdioMessage)
  }

  /** Resolves when the condition holds; looks again whenever the child says something. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  async answer(id: unknown): Promise<StdioMessage> {
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
    let seen = 0
    await this.until(() => {
      while (seen < this.raw.length && !this.raw[seen]?.startsWith(start)) seen++
      return seen < this.raw.length
    })
    // Whatever came out so far parses under the official schemas, or the test fails.
    if (this.#judge.faults.length > 0) throw new Error(JSON.stringify(this.#judge.faults, null, 2).slice(0, 5000))
    return JSON.parse(this.raw[seen] as string) as StdioMessage
  }

  async initialize(): Promise<void> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    this.send({ jsonrpc: '2.0', id: 'init', method: 'initialize', params })
    await this.answer('init')
  }

  call(id: unknown, name: string, args: object): void {
    this.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
  }

  /** Closes its input and gives the exit code. */
  async end(): Promise<number | null> {
    this.process.stdin?.end()
    return this.exited()
  }

  async exited(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit')
    return this.process.exitCode
  }

  kill(): void {
    this.process.kill('SIGKILL')
  }
}
