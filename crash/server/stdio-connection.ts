/** The pipe to a server on stdio. What the server wrote before it died counts, though it is read after. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { type CrashConnection, type Era, INITIALIZE, messageOf, type Question, type Response } from './connection.ts'

type Waiting = (response: Response | undefined) => void

export class StdioConnection implements CrashConnection {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #era: Era
  readonly #heard: () => void
  readonly #waiting = new Map<unknown, Waiting>()
  #partial = ''
  #count = 0
  open = true

  constructor(child: ChildProcessWithoutNullStreams, era: Era, heard: () => void) {
    this.#child = child
    this.#era = era
    this.#heard = heard
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    child.once('close', () => {
      this.close()
      for (const give of this.#waiting.values()) give(undefined)
    })
  }

  /** Resolves when the server has answered for the first time; true unless it died before. */
  async greet(): Promise<boolean> {
    const first = await this.ask(
      this.#era === 'legacy' ? INITIALIZE : { method: 'server/discover', params: {}, tasks: true },
    )
    return first !== undefined
  }

  ask(question: Question): Promise<Response | undefined> {
    if (!this.open) return Promise.resolve(undefined)
    const id = ++this.#count
    const era = question === INITIALIZE ? 'legacy' : this.#era
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#child.stdin.write(`${JSON.stringify(messageOf(id, era, question))}\n`)
    })
  }

  close(): void {
    this.open = false
  }

  #read(text: string): void {
    const lines = (this.#partial + text).split('\n')
    // A line without its end was cut off by the kill, so it answers nothing.
    this.#partial = lines.pop() ?? ''
    for (const line of lines) {
      const response = JSON.parse(line) as Response
      const give = this.#waiting.get(response.id)
      if (give === undefined) continue
      this.#waiting.delete(response.id)
      give(response)
      this.#heard()
    }
  }
}
