/**
 * Regular expressions in linear time. The language is JavaScript's (flag `u`) without backreferences and lookaround. All paths
 * through a pattern are followed at once, one character at a time, so the time is at most pattern times text, where a
 * backtracking engine may take exponentially long.
 */
import { ToolError } from './errors.ts'

/** A state of the matcher. Its kind shows in the fields it has; the final state has none. */
interface PatternState {
  /** reads one character, and goes on to `next` if it fits */
  fits?: (character: string) => boolean
  /** reads nothing, and goes on to `next` if it holds between these two characters */
  holds?: (before: string | undefined, after: string | undefined) => boolean
  next?: PatternState
  /** goes on to each of these */
  either?: PatternState[]
  /** the last round that reached it */
  seen: number
}

/** A part of a pattern: returns its first state, given the state after it. */
type PatternPart = (next: PatternState) => PatternState

/** Repetitions are expanded, and `((a{99}){99}){99}` must not fill the memory. */
const MAX_STATES = 1000

export function linearPattern(source: string): (text: string) => boolean {
  try {
    new RegExp(source, 'u')
  } catch (error) {
    throw ToolError.of('ValidationError', (error as Error).message, null, { cause: error })
  }
  const end: PatternState = { seen: 0 }
  const start = new Reader(source).whole()(end)
  let round = 0
  return (text) => {
    const characters = [...text]
    let here: PatternState[] = []
    for (let at = 0; at <= characters.length; at++) {
      const after = characters[at]
      // A match may start anywhere.
      here.push(start)
      const reading = reachable(here, ++round, characters[at - 1], after)
      if (reading.includes(end)) return true
      here =
        after === undefined ? [] : reading.filter(({ fits }) => fits?.(after)).map(({ next }) => next as PatternState)
    }
    return false
  }
}

/** The states that can be reached without reading a character: those that read next, and the final one. */
function reachable(
  from: PatternState[],
  round: number,
  before: string | undefined,
  after: string | undefined,
): PatternState[] {
  const reached: PatternState[] = []
  for (let place = from.pop(); place !== undefined; place = from.pop()) {
    if (place.seen === round) continue
    place.seen = round
    if (place.either !== undefined) from.push(...place.either)
    else if (place.holds === undefined) reached.push(place)
    else if (place.holds(before, after)) from.push(place.next as PatternState)
  }
  return reached
}

const GROUP = /\((?:\?:)?/uy
const QUANTIFIER = /(?:[*+?]|\{(?<least>\d+)(?:(?<more>,)(?<most>\d*))?\})\??/uy
/** One character or class, in any spelling; a pair of surrogates is one character. */
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[0-9a-f]+\}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|.)|[^()|]/isuy

/** Reads a pattern that is known to be valid, piece by piece. */
class Reader {
  readonly #source: string
  #at = 0
  #places = 0

  constructor(source: string) {
    this.#source = source
  }

  whole(): PatternPart {
    const ways = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      ways.push(this.#sequence())
    }
    const [only] = ways as [PatternPart]
    return ways.length === 1 ? only : (next) => this.#place({ either: ways.map((way) => way(next)) })
  }

  #sequence(): PatternPart {
    const pieces: PatternPart[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      pieces.push(this.#repeated(this.#single()))
    }
    return (next) => pieces.reduceRight((after, piece) => piece(after), next)
  }

  #single(): PatternPart {
    if (this.#source[this.#at] === '(') {
      const opening = this.#take(GROUP)?.[0] as string
      if (opening === '(' && this.#source[this.#at] === '?') throw refused('lookaround and names for groups')
      const inside = this.whole()
      this.#at++
      return inside
    }
    const atom = this.#take(ATOM)?.[0] as string
    if (/^\\(?:[1-9]|k)/.test(atom)) throw refused('backreferences')
    const holds = ASSERTIONS[atom]
    if (holds !== undefined) return (next) => this.#place({ holds, next })
    const fits = isPlain(atom) ? (character: string) => character === atom : oneOf(atom)
    return (next) => this.#place({ fits, next })
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
    // Also if the repeated part is empty.
    if (least > MAX_STATES || (most > MAX_STATES && most !== Number.POSITIVE_INFINITY)) throw tooLarge()
    return (next) => {
      let start = next
      if (most === Number.POSITIVE_INFINITY) {
        start = this.#place({ either: [next] })
        start.either?.push(piece(start))
      } else for (let n = least; n < most; n++) start = this.#place({ either: [piece(start), next] })
      for (let n = 0; n < least; n++) start = piece(start)
      return start
    }
  }

  #place(place: Omit<PatternState, 'seen'>): PatternState {
    if (++this.#places > MAX_STATES) throw tooLarge()
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
  return (character) => expression.test(character)
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/u.test(character)

const ASSERTIONS: Readonly<Record<string, PatternState['holds']>> = {
  '^': (before) => before === undefined,
  $: (_before, after) => after === undefined,
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
}
