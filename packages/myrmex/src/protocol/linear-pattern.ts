/**
 * Regular expressions in linear time. The language is JavaScript's (flag `u`) without backreferences. All paths through a pattern are
 * followed at once, one character at a time, so the time is at most pattern times text, where a backtracking engine may take
 * exponentially long. A lookaround is run over the whole text first: ahead from the end, behind from the beginning.
 */
import { ToolError } from './errors.ts'

/** A state of the matcher. Its kind shows in the fields it has; the final state has none. */
interface PatternState {
  /** reads one character, and goes on to `next` if it fits */
  fits?: (character: string) => boolean
  /** reads nothing, and goes on to `next` if it holds between these two characters */
  holds?: (before: string | undefined, after: string | undefined) => boolean
  /** reads nothing, and goes on to `next` where it holds */
  look?: Lookaround
  next?: PatternState
  /** goes on to each of these */
  either?: PatternState[]
  /** the last round that reached it */
  seen: number
}

/** A part of a pattern: returns its first state, given the state after it. Backwards, the state before it. */
type PatternPart = (next: PatternState, isBackwards: boolean) => PatternState

interface Lookaround {
  readonly isAhead: boolean
  readonly isNegated: boolean
  readonly start: PatternState
  readonly end: PatternState
  /** for each place in the text at hand, whether it holds there */
  at: Uint8Array
}

/** Repetitions are expanded, and `((a{99}){99}){99}` must not fill the memory. */
const MAX_STATES = 1000
/** Nobody writes a longer pattern by hand, and reading it must not exhaust the stack. */
const MAX_SOURCE = 20_000

/** Gets the number of states that were visited since the last time, and may throw to stop. */
export type SpendSteps = (visits: number) => void

export interface LinearPattern {
  /** how many it has: the time for a text is at most its length times this */
  readonly states: number
  matches(text: string, spend?: SpendSteps): boolean
}

/** Whether a text has a match somewhere. Throws ValidationError if the pattern is invalid, too large or has backreferences. */
export function linearPattern(source: string): (text: string) => boolean {
  const { matches } = compilePattern(source)
  return (text) => matches(text)
}

export function compilePattern(source: string, maxStates: number = MAX_STATES): LinearPattern {
  if (source.length > MAX_SOURCE) throw tooLarge()
  try {
    new RegExp(source, 'u')
  } catch (error) {
    throw ToolError.of('ValidationError', (error as Error).message, null, { cause: error })
  }
  const end: PatternState = { seen: 0 }
  const reader = new Reader(source, maxStates)
  const start = reader.read(end)
  const { lookarounds } = reader
  const matcher = new Matcher()
  return {
    states: reader.states,
    matches: (text, spend = noLimit) => {
      const characters = [...text]
      // Inner ones come before those around them.
      for (const look of lookarounds) matcher.place(look, characters, spend)
      return matcher.find(start, end, characters, spend)
    },
  }
}

const noLimit = (): void => {}

/** Follows all paths at once. */
class Matcher {
  #round = 0
  #visits = 0

  find(start: PatternState, end: PatternState, characters: readonly string[], spend: SpendSteps): boolean {
    let here: PatternState[] = []
    for (let at = 0; at <= characters.length; at++) {
      // A match may start anywhere.
      here.push(start)
      const reading = this.#reachable(here, characters, at)
      this.#pay(spend)
      if (reading.includes(end)) return true
      here = following(reading, characters[at])
    }
    return false
  }

  /** Finds every place where a lookaround holds. */
  place(look: Lookaround, characters: readonly string[], spend: SpendSteps): void {
    const { start, end, isAhead, isNegated } = look
    const count = characters.length
    look.at = new Uint8Array(count + 1)
    let here: PatternState[] = []
    for (let step = 0; step <= count; step++) {
      const at = isAhead ? count - step : step
      here.push(start)
      const reading = this.#reachable(here, characters, at)
      this.#pay(spend)
      look.at[at] = reading.includes(end) === isNegated ? 0 : 1
      here = following(reading, characters[isAhead ? at - 1 : at])
    }
  }

  #pay(spend: SpendSteps): void {
    const visits = this.#visits
    this.#visits = 0
    spend(visits)
  }

  /** The states that can be reached without reading a character: those that read next, and the final one. */
  #reachable(from: PatternState[], characters: readonly string[], at: number): PatternState[] {
    const round = ++this.#round
    const reached: PatternState[] = []
    for (let place = from.pop(); place !== undefined; place = from.pop()) {
      this.#visits++
      if (place.seen === round) continue
      place.seen = round
      if (place.either !== undefined) from.push(...place.either)
      else if (place.holds !== undefined) {
        if (place.holds(characters[at - 1], characters[at])) from.push(place.next as PatternState)
      } else if (place.look !== undefined) {
        if (place.look.at[at] === 1) from.push(place.next as PatternState)
      } else reached.push(place)
    }
    return reached
  }
}

function following(reading: readonly PatternState[], character: string | undefined): PatternState[] {
  const next: PatternState[] = []
  if (character === undefined) return next
  for (const state of reading) if (state.fits?.(character)) next.push(state.next as PatternState)
  return next
}

const GROUP = /\((?:\?(?:<?[=!]|:|<[^>]*>))?/uy
const QUANTIFIER = /(?:[*+?]|\{(?<least>\d+)(?:(?<more>,)(?<most>\d*))?\})\??/uy
/** One character or class, in any spelling; a pair of surrogates is one character. */
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[0-9a-f]+\}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|.)|[^()|]/isuy

/** Reads a pattern that is known to be valid, piece by piece. */
class Reader {
  readonly lookarounds: Lookaround[] = []
  readonly #source: string
  readonly #maxStates: number
  #at = 0
  states = 0
  #repetitions = 0

  constructor(source: string, maxStates: number) {
    this.#source = source
    this.#maxStates = maxStates
  }

  /** The first state of the whole pattern. */
  read(end: PatternState): PatternState {
    try {
      return this.#whole()(end, false)
    } catch (error) {
      // Groups within groups, down to the end of the stack.
      throw error instanceof RangeError ? tooLarge() : error
    }
  }

  #whole(): PatternPart {
    const ways = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      ways.push(this.#sequence())
    }
    const [only] = ways as [PatternPart]
    if (ways.length === 1) return only
    return (next, isBackwards) => this.#place({ either: ways.map((way) => way(next, isBackwards)) })
  }

  #sequence(): PatternPart {
    const pieces: PatternPart[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      pieces.push(this.#repeated(this.#single()))
    }
    return (next, isBackwards) =>
      isBackwards
        ? pieces.reduce((after, piece) => piece(after, true), next)
        : pieces.reduceRight((after, piece) => piece(after, false), next)
  }

  #single(): PatternPart {
    if (this.#source[this.#at] === '(') return this.#group()
    const atom = this.#take(ATOM)?.[0] as string
    if (/^\\(?:[1-9]|k)/.test(atom)) throw refused('backreferences')
    const holds = ASSERTIONS[atom]
    if (holds !== undefined) return (next) => this.#place({ holds, next })
    const fits = isPlain(atom) ? (character: string) => character === atom : oneOf(atom)
    return (next) => this.#place({ fits, next })
  }

  #group(): PatternPart {
    const opening = this.#take(GROUP)?.[0] as string
    if (opening === '(' && this.#source[this.#at] === '?') throw refused('modifiers')
    const inside = this.#whole()
    this.#at++
    if (!/[=!]$/.test(opening)) return inside
    const isAhead = !opening.includes('<')
    const end: PatternState = { seen: 0 }
    const start = inside(end, isAhead)
    const look = { isAhead, isNegated: opening.endsWith('!'), start, end, at: new Uint8Array(0) }
    this.lookarounds.push(look)
    return (next) => this.#place({ look, next })
  }

  #repeated(piece: PatternPart): PatternPart {
    const found = this.#take(QUANTIFIER)
    if (found === undefined) return piece
    const { least, more, most } = found.groups as Record<'least' | 'more' | 'most', string | undefined>
    if (least !== undefined) {
      const ceiling = more === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)
      return this.#times(piece, Number(least), ceiling)
    }
    const sign = found[0][0]
    return this.#times(piece, sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY)
  }

  #times(piece: PatternPart, least: number, most: number): PatternPart {
    return (next, isBackwards) => {
      let start = next
      if (most === Number.POSITIVE_INFINITY) {
        start = this.#place({ either: [next] })
        start.either?.push(piece(start, isBackwards))
      } else {
        for (let n = least; n < most; n++)
          start = this.#place({ either: [this.#again(piece, start, isBackwards), next] })
      }
      for (let n = 0; n < least; n++) start = this.#again(piece, start, isBackwards)
      return start
    }
  }

  /** Counts repetitions, because the repeated part may be empty and add no state. */
  #again(piece: PatternPart, next: PatternState, isBackwards: boolean): PatternState {
    if (++this.#repetitions > this.#maxStates) throw tooLarge()
    return piece(next, isBackwards)
  }

  #place(place: Omit<PatternState, 'seen'>): PatternState {
    if (++this.states > this.#maxStates) throw tooLarge()
    return { ...place, seen: 0 }
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at = expression.lastIndex
    return found
  }
}

const tooLarge = (): ToolError => ToolError.of('ValidationError', 'the pattern is too large')

const refused = (what: string): ToolError =>
  ToolError.of('ValidationError', `${what} are not supported: they can take very long`)

const isPlain = (atom: string): boolean => !/^[[\\.]/.test(atom)

/** JavaScript decides what a class or escape means; on a single character that is always fast. */
function oneOf(atom: string): (character: string) => boolean {
  const expression = new RegExp(`^${atom}$`, 'u')
  // What is known of ASCII characters: 1 fits, -1 does not.
  const known = new Int8Array(128)
  return (character) => {
    const code = character.charCodeAt(0)
    if (code >= 128) return expression.test(character)
    if (known[code] === 0) known[code] = expression.test(character) ? 1 : -1
    return known[code] === 1
  }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/u.test(character)

const ASSERTIONS: Readonly<Record<string, PatternState['holds']>> = {
  '^': (before) => before === undefined,
  $: (_before, after) => after === undefined,
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
}
