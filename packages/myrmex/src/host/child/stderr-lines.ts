/** What a child writes on its stderr, line by line. A line without end is cut instead of kept. */
import { StringDecoder } from 'node:string_decoder'
import { MAX_LINE_LENGTH } from './log-sanitiser.ts'

export class StderrLines {
  readonly #say: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #open = ''
  #isCut = false

  constructor(say: (line: string) => void) {
    this.#say = say
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.write(chunk)
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#add(text.slice(start, end))
      this.#finish()
      start = end + 1
    }
    this.#add(text.slice(start))
  }

  end(): void {
    this.#add(this.#decoder.end())
    this.#finish()
  }

  #add(text: string): void {
    if (this.#isCut || text === '') return
    this.#open += text
    if (this.#open.length <= MAX_LINE_LENGTH) return
    // One more than is looked at tells that it was cut.
    this.#open = this.#open.slice(0, MAX_LINE_LENGTH + 1)
    this.#isCut = true
  }

  #finish(): void {
    const line = this.#open
    this.#open = ''
    this.#isCut = false
    if (line !== '') this.#say(line)
  }
}
