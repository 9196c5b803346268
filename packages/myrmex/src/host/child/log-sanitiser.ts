/** Makes lines of a child safe for the log: removes control characters and secrets, cuts long lines, and limits lines per second. */
import { stripVTControlCharacters } from 'node:util'
import type { Scrubber } from '../link/scrubber.ts'

const MAX_LOGGED = 2000
/** Longer lines are cut before secrets are removed. More than is logged, because removing secrets shortens a line. */
export const MAX_LINE_LENGTH = 16_384
const MAX_PER_SECOND = 200
const SECOND_MS = 1000
/** Kept for the error message if the child dies. */
const KEPT_LINES = 5

// Including characters that reverse or hide text: a log must show what is there.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

export class LogSanitiser {
  readonly #emit: (line: string) => void
  readonly #scrubber: Pick<Scrubber, 'text' | 'longest'>
  readonly #last: string[] = []
  #since = 0
  #emitted = 0
  #skipped = 0
  #timer: NodeJS.Timeout | undefined

  constructor(emit: (line: string) => void, scrubber: Pick<Scrubber, 'text' | 'longest'>) {
    this.#emit = emit
    this.#scrubber = scrubber
  }

  write(text: string): void {
    const now = performance.now()
    if (now - this.#since >= SECOND_MS) {
      this.#reportSkipped()
      this.#since = now
      this.#emitted = 0
    }
    if (this.#emitted >= MAX_PER_SECOND) {
      this.#skipped++
      this.#timer ??= setTimeout(() => this.#reportSkipped(), SECOND_MS).unref()
      return
    }
    const line = this.#sanitise(text)
    if (line === '') return
    this.#emitted++
    this.#last.push(line)
    if (this.#last.length > KEPT_LINES) this.#last.shift()
    this.#emit(line)
  }

  get lastLines(): string[] {
    return [...this.#last]
  }

  /** Reports the number of skipped lines now. */
  end(): void {
    this.#reportSkipped()
  }

  #sanitise(text: string): string {
    const { longest } = this.#scrubber
    // The cut may split a secret so that it is not found: drop the text near the cut.
    const looked = text.length > MAX_LINE_LENGTH ? text.slice(0, Math.max(0, MAX_LINE_LENGTH - longest)) : text
    const clean = stripVTControlCharacters(this.#scrubber.text(looked))
      .replace(/\t/g, ' ')
      .replace(HIDDEN, '')
      .trimEnd()
    return clean.length > MAX_LOGGED ? `${clean.slice(0, MAX_LOGGED)} …` : clean
  }

  #reportSkipped(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#skipped === 0) return
    const left = this.#skipped
    this.#skipped = 0
    this.#emit(`… ${left} ${left === 1 ? 'line' : 'lines'} skipped`)
  }
}
