/** Values and comments as TypeScript code. No text of a document can end a literal or a comment. */
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
/** Names of which each is given once. One that is taken gets a number. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  /** the number to try next for a name: thousands of tools may have the same one */
  readonly #next = new Map<string, number>()

  has(name: string): boolean {
    return this.#taken.has(name)
  }

  take(name: string, separator: string): string {
    let unique = name
    let number = this.#next.get(name) ?? 2
    while (this.#taken.has(unique)) unique = `${name}${separator}${number++}`
    this.#next.set(name, number)
    this.#taken.add(unique)
    return unique
  }
}

export function exportNames(bodies: readonly Pick<ToolBody, 'name' | 'version'>[]): string[] {
  const names = new UniqueNames()
  return bodies.map(({ name, version }) => {
    const bare = name.slice(name.lastIndexOf('.') + 1)
    const choices = [camel(bare), camel(name), camel(`${name}_${version}`)]
    return names.take(choices.find((choice) => !names.has(choice)) ?? camel(bare), '')
  })
}

function camel(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')
  if (name === '') return 'unnamed'
  return isIdentifier(name) ? name : `tool${name[0]?.toUpperCase()}${name.slice(1)}`
}

/** The file imports `tool` and `ToolError`; the rest are words that the language keeps for itself. */
const KEPT = new Set(
  `tool ToolError await break case catch class const continue debugger default delete do else enum export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield arguments eval`.split(/\s+/),
)

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !KEPT.has(name)

const WIDTH = 120

export function toLiteral(value: unknown, indent: number): string {
  const inline = onOneLine(value)
  // Room for the name before it and the comma after it.
  if (inline.length + indent + 20 <= WIDTH || typeof value !== 'object' || value === null) return inline
  const pad = ' '.repeat(indent + 2)
  const lines = Array.isArray(value)
    ? value.map((item) => `${pad}${toLiteral(item, indent + 2)},`)
    : Object.entries(value).map(([name, item]) => `${pad}${key(name)}: ${toLiteral(item, indent + 2)},`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join('\n')}\n${' '.repeat(indent)}${close}`
}

function onOneLine(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  const members = Object.entries(value).map(([name, item]) => `${key(name)}: ${onOneLine(item)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** `__proto__: x` would set the prototype; with brackets it is a name like any other. */
const key = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)

/** Invisible characters are escaped, so that no document brings them into code. */
function quoted(text: string): string {
  const json = readableJson(text)
  if (text.includes("'") && !text.includes('"')) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** A comment on one line. */
export const comment = (words: string): string => `// ${escapeHidden(words.replace(/\s+/g, ' ').trim())}`
