/**
 * Parses a regular expression far enough to write texts that may match it: sets, groups, choices, repetitions. Anchors and
 * lookarounds are ignored, so the texts must be tested.
 */

interface Repetition {
  readonly least: number
  readonly most: number
}

export type PatternPart = Repetition &
  (
    | { readonly kind: 'set'; readonly characters: readonly string[] }
    | { readonly kind: 'group'; readonly branches: readonly (readonly PatternPart[])[] }
  )

const CLASSES: Readonly<Record<string, string>> = { d: '0918', D: 'ax-', w: 'aZ0_', W: '-. ', s: ' \t', S: 'aZ0-' }
const SPECIAL: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }
const ORDINARY = [...'aA0_- .b1Zz9~é!/:@']

/** Undefined if it cannot be parsed. */
export function parsePattern(pattern: string): PatternPart[] | undefined {
  const reader = new Reader(pattern)
  const branches = reader.branches()
  if (!reader.isAtEnd()) return undefined
  return branches.length === 1 ? branches[0] : [{ kind: 'group', branches, least: 1, most: 1 }]
}

class Reader {
  readonly #text: readonly string[]
  #at = 0

  constructor(pattern: string) {
    this.#text = [...pattern]
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  branches(): PatternPart[][] {
    const branches: PatternPart[][] = [[]]
    while (!this.isAtEnd() && this.#text[this.#at] !== ')') {
      if (this.#skip('|')) branches.push([])
      else (branches.at(-1) as PatternPart[]).push(...this.#part())
    }
    return branches
  }

  #skip(text: string): boolean {
    const here = this.#text.slice(this.#at, this.#at + text.length).join('') === text
    if (here) this.#at += text.length
    return here
  }

  #part(): PatternPart[] {
    if (this.#skip('^') || this.#skip('$') || this.#skip('\\b') || this.#skip('\\B')) return []
    if (this.#skip('(')) return this.#group()
    const characters = this.#skip('[') ? this.#set() : this.#skip('.') ? ORDINARY : this.#character()
    return [{ kind: 'set', characters, ...this.#times() }]
  }

  #group(): PatternPart[] {
    const looks = this.#skip('?=') || this.#skip('?!') || this.#skip('?<=') || this.#skip('?<!')
    if (!looks && !this.#skip('?:') && this.#skip('?<')) while (!this.isAtEnd() && !this.#skip('>')) this.#at++
    const branches = this.branches()
    this.#skip(')')
    const times = this.#times()
    return looks ? [] : [{ kind: 'group', branches, ...times }]
  }

  /** One character or class, with or without a backslash. */
  #character(): string[] {
    const here = this.#text[this.#at++] ?? ''
    if (here !== '\\') return [here]
    const next = this.#text[this.#at++] ?? ''
    if (CLASSES[next] !== undefined) return [...CLASSES[next]]
    if (next === 'p' || next === 'P') {
      while (!this.isAtEnd() && !this.#skip('}')) this.#at++
      return ORDINARY
    }
    if (next === 'u' || next === 'x') return [this.#code(next)]
    return [SPECIAL[next] ?? next]
  }

  #code(kind: string): string {
    const rest = this.#text.slice(this.#at).join('')
    const digits = /^\{([0-9a-f]+)\}/i.exec(rest) ?? (kind === 'u' ? /^([0-9a-f]{4})/i : /^([0-9a-f]{2})/i).exec(rest)
    this.#at += digits?.[0].length ?? 0
    return String.fromCodePoint(Math.min(Number.parseInt(digits?.[1] ?? '61', 16), 0x10ffff))
  }

  #set(): string[] {
    const without = this.#skip('^')
    const inside: string[] = []
    const ranges: [number, number][] = []
    while (!this.isAtEnd() && !this.#skip(']')) {
      const characters = this.#character()
      const from = characters[0] ?? ''
      if (this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']' && characters.length === 1) {
        this.#at++
        const to = this.#character()[0] ?? from
        ranges.push([codeOf(from), codeOf(to)])
        inside.push(from, to, String.fromCodePoint(Math.floor((codeOf(from) + codeOf(to)) / 2)))
      } else {
        inside.push(...characters)
      }
    }
    if (!without) return inside
    const among = (one: string): boolean =>
      inside.includes(one) || ranges.some(([low, high]) => codeOf(one) >= low && codeOf(one) <= high)
    return [...ORDINARY, 'q', '#', '\u0001'].filter((one) => !among(one))
  }

  #times(): Repetition {
    const times = this.#repetition()
    this.#skip('?')
    return times
  }

  #repetition(): Repetition {
    if (this.#skip('*')) return { least: 0, most: Number.POSITIVE_INFINITY }
    if (this.#skip('+')) return { least: 1, most: Number.POSITIVE_INFINITY }
    if (this.#skip('?')) return { least: 0, most: 1 }
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at, this.#at + 24).join(''))
    if (counted === null) return { least: 1, most: 1 }
    this.#at += counted[0].length
    const least = Number(counted[1])
    if (counted[2] === '') return { least, most: least }
    return { least, most: counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3]) }
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0
