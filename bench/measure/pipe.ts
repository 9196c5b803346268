// A stdio server at the other end of a pipe: raw lines out, raw lines in. Under load it writes ready-made bytes first
// and checks the answers afterwards, while the server works on the next calls, so that the server is the limit.
import { parse, WrongAnswer } from './check-answer.ts'
import { initializedMessage, initializeMessage } from './messages.ts'
import { type Command, ServerProcess } from './server-process.ts'

/** The requests of one round as one piece of memory; request number i ends before byte `ends[i]`. */
export type RequestPool = { bytes: Buffer; ends: Uint32Array; firstId: number }

export type LoadCheck = {
  /** Looks at a whole text once; what it says is handed to `answer` with every line of it. */
  suspicious: (text: string) => boolean
  /** The id of the right answer in text[start, end), or a thrown WrongAnswer. */
  answer: (text: string, suspicious: boolean, start: number, end: number) => number
}

/** Answers are made good for in steps of this size, so that the server has the next calls before we check the last. */
const step = 16

export class Pipe {
  readonly server: ServerProcess
  /** Ids are never used twice on a connection, as the protocol asks. */
  nextId = 1
  /** When the end of the last line came in, before anything was done with it. */
  arrived = 0
  #onLines: (text: string) => void = () => {}
  #onFault: (error: Error) => void = () => {}
  #pieces: string[] = []

  constructor(name: string, command: Command) {
    this.server = new ServerProcess(name, command)
    this.server.child.stdout.on('data', (chunk: Buffer) => {
      try {
        // Latin-1 is a plain copy; what the bench sends and gets back is ASCII.
        this.#take(chunk.toString('latin1'))
      } catch (error) {
        this.#onFault(error as Error)
      }
    })
  }

  /** The handshake of the legacy era, step by step. */
  async initialize(): Promise<void> {
    const line = await this.ask(JSON.stringify(initializeMessage))
    if (parse(line).result === undefined) throw new WrongAnswer(`${this.server.name} refused initialize: ${line}`)
    this.server.child.stdin.write(`${JSON.stringify(initializedMessage)}\n`)
  }

  /** One request, one line of answer. */
  ask(request: string): Promise<string> {
    return this.#listen((done) => {
      this.#onLines = (text) => {
        const answer = text.split('\n').find((line) => line !== '' && !isNotification(line))
        if (answer !== undefined) done(answer)
      }
      this.server.child.stdin.write(`${request}\n`)
    })
  }

  /** Sends the whole pool with at most `inFlight` requests unanswered, and checks every answer. */
  drive({ bytes, ends, firstId }: RequestPool, inFlight: number, check: LoadCheck): Promise<void> {
    const total = ends.length
    const answered = new Uint8Array(total)
    let sent = 0
    let received = 0
    let checked = 0
    const send = (until: number) => {
      if (until <= sent) return
      this.server.child.stdin.write(bytes.subarray(ends[sent - 1] ?? 0, ends[until - 1]))
      sent = until
    }
    const cross = (index: number, text: string, start: number, end: number) => {
      if (!(index >= 0 && index < sent) || answered[index] === 1)
        throw new WrongAnswer(`an answer to a call that is not in flight: ${text.slice(start, end)}`)
      answered[index] = 1
    }
    return this.#listen((done) => {
      this.#onLines = (text) => {
        const suspicious = check.suspicious(text)
        const lineEnds: number[] = []
        let start = 0
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
          lineEnds.push(end)
          if (lineEnds.length < step && end + 1 < text.length) continue
          received += lineEnds.length
          send(Math.min(received + inFlight, total))
          for (const lineEnd of lineEnds) {
            cross(check.answer(text, suspicious, start, lineEnd) - firstId, text, start, lineEnd)
            start = lineEnd + 1
          }
          checked += lineEnds.length
          lineEnds.length = 0
        }
        if (checked === total) done(undefined)
      }
      send(Math.min(inFlight, total))
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop()
  }

  #listen<T>(start: (done: (value: T) => void) => void): Promise<T> {
    return this.server
      .during<T>((fail) => {
        this.#onFault = fail
        return new Promise((resolve) => start(resolve))
      })
      .finally(() => {
        this.#onLines = () => {}
        this.#onFault = () => {}
      })
  }

  /** Hands on whole lines, as many as there are, and keeps the rest. Only a line that was cut is put together. */
  #take(chunk: string): void {
    const first = chunk.indexOf('\n') + 1
    if (first === 0) {
      this.#pieces.push(chunk)
      return
    }
    this.arrived = performance.now()
    let lines = chunk
    if (this.#pieces.length > 0) {
      const cut = this.#pieces.join('') + chunk.slice(0, first)
      this.#pieces = []
      this.#onLines(cut)
      lines = chunk.slice(first)
    }
    const end = lines.lastIndexOf('\n') + 1
    if (end < lines.length) this.#pieces.push(lines.slice(end))
    if (end > 0) this.#onLines(lines.slice(0, end))
  }
}

/** Servers may report a changed list at any time. A single request must not read that as its answer. */
function isNotification(line: string): boolean {
  return line.length < 1000 && line.includes('"method":"notifications/')
}
