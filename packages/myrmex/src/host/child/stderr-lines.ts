/** Splits a child's stderr into lines. Lines that are too long are cut. */
import { StringDecoder } from 'node:string_decoder'
import { MAX_LINE_LENGTH } from './log-sanitiser.ts'

export class StderrLines {
  readonly #emit: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #partial = ''
  #isCut = false

  constructor(emit: (line: string) => void) {
    this.#emit = emit
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
    this.#partial += text
    if (this.#partial.length <= MAX_LINE_LENGTH) return
    // One more than the limit shows that the line was cut.
    this.#partial = this.#partial.slice(0, MAX_LINE_LENGTH + 1)
    this.#isCut = true
  }

  #finish(): void {
    const line = this.#partial
    this.#partial = ''
    this.#isCut = false
    if (line !== '') this.#emit(line)
  }
}
