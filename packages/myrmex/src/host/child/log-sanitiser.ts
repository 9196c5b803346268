/** Lines for the log that somebody else wrote: without control characters and secrets, cut, and only so many a second. */
import { stripVTControlCharacters } from 'node:util'
import type { Scrubber } from '../link/scrubber.ts'

const LONGEST = 2000
/** More of a line is not looked at. Far more than is shown, since taking secrets out makes it shorter. */
export const MAX_LINE_LENGTH = 16_384
const MOST_A_SECOND = 200
const SECOND_MS = 1000
/** So many are remembered, for the error that says what broke. */
const LAST = 5

// Also what turns a text round or hides in it: whoever reads a log must see what stands there.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

export class LogSanitiser {
  readonly #give: (line: string) => void
  readonly #scrubber: Pick<Scrubber, 'text' | 'longest'>
  readonly #last: string[] = []
  #since = 0
  #given = 0
  #leftOut = 0
  #timer: NodeJS.Timeout | undefined

  constructor(give: (line: string) => void, scrubber: Pick<Scrubber, 'text' | 'longest'>) {
    this.#give = give
    this.#scrubber = scrubber
  }

  write(text: string): void {
    const now = performance.now()
    if (now - this.#since >= SECOND_MS) {
      this.#sum()
      this.#since = now
      this.#given = 0
    }
    if (this.#given >= MOST_A_SECOND) {
      this.#leftOut++
      this.#timer ??= setTimeout(() => this.#sum(), SECOND_MS).unref()
      return
    }
    const line = this.#shown(text)
    if (line === '') return
    this.#given++
    this.#last.push(line)
    if (this.#last.length > LAST) this.#last.shift()
    this.#give(line)
  }

  get lastLines(): string[] {
    return [...this.#last]
  }

  /** Nothing comes any more: what was left out is told now. */
  end(): void {
    this.#sum()
  }

  #shown(text: string): string {
    const { longest } = this.#scrubber
    // The cut may go through a secret, which then would not be found: nothing is shown of what stands so near to it.
    const looked = text.length > MAX_LINE_LENGTH ? text.slice(0, Math.max(0, MAX_LINE_LENGTH - longest)) : text
    const clean = stripVTControlCharacters(this.#scrubber.text(looked))
      .replace(/\t/g, ' ')
      .replace(HIDDEN, '')
      .trimEnd()
    return clean.length > LONGEST ? `${clean.slice(0, LONGEST)} …` : clean
  }

  #sum(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#leftOut === 0) return
    const left = this.#leftOut
    this.#leftOut = 0
    this.#give(`… ${left} ${left === 1 ? 'line' : 'lines'} left out`)
  }
}
