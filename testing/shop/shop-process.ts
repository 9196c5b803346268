/** Real processes on one shop, each doing a job of shop-child.ts. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('shop-child.ts', import.meta.url))
/** Processes share one compile cache. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

export class ShopProcess {
  readonly #child: ChildProcess
  readonly #words: string[] = []
  /** all it ever said */
  readonly said: string[] = []
  #waiting: (() => void) | undefined

  constructor(job: string, file: string, name = '', count = 0) {
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED }
    this.#child = fork(CHILD, [job, file, name, String(count)], { execArgv: [], env })
    this.#child.on('message', (word) => this.#hear(String(word)))
    this.#child.on('exit', (code, signal) => this.#hear(`ended with ${signal ?? code}`))
  }

  #hear(word: string): void {
    this.said.push(word)
    this.#words.push(word)
    this.#waiting?.()
  }

  /** The next thing it says; its end is the last. */
  async word(): Promise<string> {
    while (this.#words.length === 0) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
    return this.#words.shift() as string
  }

  /** Waits until it says something that is meant. */
  async until(meant: RegExp): Promise<string> {
    for (;;) {
      const word = await this.word()
      if (meant.test(word)) return word
      if (word.startsWith('ended') || word.startsWith('failed')) throw new Error(`the process ${word}`)
    }
  }

  go(): void {
    this.#child.send('go')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async ended(): Promise<string> {
    return this.until(/^ended/)
  }
}
