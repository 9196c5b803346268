/** What a child writes on its stderr, line by line. A line without end is cut instead of kept. */
import { StringDecoder } from 'node:string_decoder'

/** More of one line is thrown away. Far more than is shown, since secrets are looked for in what is kept. */
const MOST_KEPT = 16_384

export class Stderr {
  readonly #say: (line: string) => void
  readonly #longestSecret: number
  readonly #decoder = new StringDecoder('utf8')
  #open = ''
  #isCut = false

  constructor(say: (line: string) => void, longestSecret: number) {
    this.#say = say
    this.#longestSecret = longestSecret
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
    if (this.#open.length <= MOST_KEPT) return
    // The cut may have gone through a secret, which then would not be found.
    this.#open = this.#open.slice(0, Math.max(0, MOST_KEPT - this.#longestSecret))
    this.#isCut = true
  }

  #finish(): void {
    const line = this.#open
    this.#open = ''
    this.#isCut = false
    if (line !== '') this.#say(line)
  }
}
