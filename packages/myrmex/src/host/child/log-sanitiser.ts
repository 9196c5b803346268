/** Makes lines of a child safe for the log: removes control characters and secrets, cuts long lines, and limits lines per second. */
import { stripVTControlCharacters } from 'node:util'
import type { Scrubber } from '../link/scrubber.ts'
import { RateLimit } from '../rate-limit.ts'
import { crashCause } from './crash-cause.ts'

const MAX_LOGGED = 2000
/** Longer lines are cut before secrets are removed. More than is logged, because removing secrets shortens a line. */
const MAX_LINE_LENGTH = 16_384
/** A line of more bytes certainly has more than that many characters. */
export const MAX_LINE_BYTES: number = 4 * MAX_LINE_LENGTH
const MAX_PER_SECOND = 200
/** Kept in case the child dies: the cause may be above a long stack. */
const KEPT_LINES = 40
/** In the error message. */
const SHOWN_LINES = 5

// Including characters that reverse or hide text: a log must show what is there.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Removes secrets from a line. `longest`: how much of a line one secret may take. */
export type LineFilter = Pick<Scrubber, 'text' | 'longest'>

export class LogSanitiser {
  readonly #emit: (line: string) => void
  readonly #filters: readonly LineFilter[]
  readonly #last: string[] = []
  readonly #limit: RateLimit

  constructor(emit: (line: string) => void, ...filters: readonly (LineFilter | undefined)[]) {
    this.#emit = emit
    this.#filters = filters.filter((filter) => filter !== undefined)
    this.#limit = new RateLimit(MAX_PER_SECOND, (count) => emit(`… ${count} ${count === 1 ? 'line' : 'lines'} skipped`))
  }

  write(text: string): void {
    if (!this.#limit.pass()) return
    const line = this.#sanitise(text)
    if (line === '') return
    this.#last.push(line)
    if (this.#last.length > KEPT_LINES) this.#last.shift()
    this.#emit(line)
  }

  get lastLines(): string[] {
    return this.#last.slice(-SHOWN_LINES)
  }

  /** The line that says why the child ended, if any does. */
  get cause(): string | undefined {
    return crashCause(this.#last)
  }

  /** Reports the number of skipped lines now. */
  end(): void {
    this.#limit.report()
  }

  #sanitise(text: string): string {
    const longest = Math.max(0, ...this.#filters.map((filter) => filter.longest))
    // The cut may split a secret so that it is not found: drop the text near the cut.
    const looked = text.length > MAX_LINE_LENGTH ? text.slice(0, Math.max(0, MAX_LINE_LENGTH - longest)) : text
    const plain = stripVTControlCharacters(this.#withoutSecrets(looked))
      .replace(/\t/g, ' ')
      .replace(HIDDEN, '')
      .trimEnd()
    // Control characters may have been inside a secret.
    const clean = this.#withoutSecrets(plain)
    return clean.length > MAX_LOGGED ? `${clean.slice(0, MAX_LOGGED)} …` : clean
  }

  #withoutSecrets(line: string): string {
    return this.#filters.reduce((text, filter) => filter.text(text), line)
  }
}
