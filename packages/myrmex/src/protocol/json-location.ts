/**
 * Where in a JSON text things stand: an error about a file is of use only if it says the line. It also finds what JSON.parse
 * lets pass without a word: a name that stands twice in one object, of which the first would be ignored.
 */
import { pointer } from './json.ts'

export interface JsonLocation {
  readonly line: number
  readonly column: number
}

const SPACE = /[ \t\r\n]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows them in no text
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Thrown where the text stops being JSON. */
class Broken extends Error {
  readonly offset: number

  constructor(offset: number) {
    super('not JSON')
    this.offset = offset
  }
}

export class JsonLocations {
  readonly #text: string
  readonly #offsets = new Map<string, number>()
  #at = 0
  /** JSON pointers of names that stand twice in their object */
  readonly duplicates: string[] = []
  /** where the text stops being JSON, if it does */
  readonly syntaxError: JsonLocation | undefined

  constructor(text: string) {
    this.#text = text
    try {
      this.#space()
      this.#value([])
      this.#space()
      if (this.#at < text.length) throw new Broken(this.#at)
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      this.syntaxError = this.#place(error.offset)
    }
  }

  /** Where the value of this pointer stands, or whatever around it there is. */
  locationOf(path: string): JsonLocation {
    let known = path
    while (!this.#offsets.has(known) && known !== '') known = known.slice(0, known.lastIndexOf('/'))
    return this.#place(this.#offsets.get(known) ?? 0)
  }

  #place(offset: number): JsonLocation {
    const lines = this.#text.slice(0, offset).split('\n')
    return { line: lines.length, column: (lines.at(-1) as string).length + 1 }
  }

  #value(path: PropertyKey[], named = this.#at): void {
    this.#offsets.set(pointer(path), named)
    const first = this.#text[this.#at]
    if (first === '{') this.#members(path)
    else if (first === '[') this.#items(path)
    else this.#take(first === '"' ? TEXT : WORD)
  }

  #members(path: PropertyKey[]): void {
    const names = new Set<string>()
    this.#list('}', () => {
      const named = this.#at
      const name = JSON.parse(this.#take(TEXT)) as string
      if (names.has(name)) this.duplicates.push(pointer([...path, name]))
      names.add(name)
      this.#space()
      this.#expect(':')
      this.#space()
      this.#value([...path, name], named)
    })
  }

  #items(path: PropertyKey[]): void {
    let index = 0
    this.#list(']', () => this.#value([...path, index++]))
  }

  #list(end: string, item: () => void): void {
    this.#at++
    this.#space()
    if (this.#text[this.#at] !== end) {
      item()
      this.#space()
      while (this.#text[this.#at] === ',') {
        this.#at++
        this.#space()
        item()
        this.#space()
      }
    }
    this.#expect(end)
  }

  #space(): void {
    this.#take(SPACE)
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw new Broken(this.#at)
    this.#at++
  }

  #take(expression: RegExp): string {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)
    if (found === null) throw new Broken(this.#at)
    this.#at = expression.lastIndex
    return found[0]
  }
}
