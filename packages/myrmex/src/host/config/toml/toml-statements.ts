/** The statements of a valid TOML document with their places: headers of tables, and keys with their values. */

export interface TomlStatement {
  /** of the first character, and behind the newline of the last one; without comments above it */
  readonly start: number
  readonly end: number
  /** the whole path: of a header, or of a key within its table */
  readonly path: readonly string[]
}

/** `readPath` reads a dotted key. */
export function tomlStatements(text: string, readPath: (key: string) => string[]): TomlStatement[] {
  const found: TomlStatement[] = []
  let table: readonly string[] = []
  let offset = 0
  while (offset < text.length) {
    const start = offset
    const line = text.slice(start, lineEnd(text, start))
    const indent = line.length - line.trimStart().length
    const rest = line.trim()
    if (rest === '' || rest.startsWith('#')) {
      offset = lineEnd(text, start)
      continue
    }
    if (rest.startsWith('[')) {
      const depth = rest.startsWith('[[') ? 2 : 1
      const close = keyEnd(text, start + indent + depth, ']')
      table = readPath(text.slice(start + indent + depth, close))
      offset = lineEnd(text, close)
      found.push({ start, end: offset, path: table })
      continue
    }
    const equals = keyEnd(text, start + indent, '=')
    const path = [...table, ...readPath(text.slice(start + indent, equals))]
    offset = lineEnd(text, valueEnd(text, equals + 1))
    found.push({ start, end: offset, path })
  }
  return found
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

/** Where a key ends: at the character, unless that is in quotes. */
function keyEnd(text: string, from: number, character: string): number {
  let offset = from
  while (offset < text.length && text[offset] !== character) {
    offset = isQuote(text[offset]) ? stringEnd(text, offset) : offset + 1
  }
  return offset
}

/** Behind the value, on its last line. */
function valueEnd(text: string, from: number): number {
  let depth = 0
  let offset = from
  while (offset < text.length) {
    const character = text[offset]
    if (isQuote(character)) {
      offset = stringEnd(text, offset)
      continue
    }
    if (character === '#') {
      offset = lineEnd(text, offset) - 1
      if (depth === 0) return offset
    } else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    else if (character === '\n' && depth === 0) return offset
    offset++
  }
  return offset
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'"

function stringEnd(text: string, from: number): number {
  const quote = text[from] as string
  const triple = quote.repeat(3)
  if (text.startsWith(triple, from)) {
    let offset = from + 3
    while (offset < text.length && !text.startsWith(triple, offset))
      offset += quote === '"' && text[offset] === '\\' ? 2 : 1
    offset += 3
    // Up to two quotes may stand before the closing three.
    while (text[offset] === quote) offset++
    return offset
  }
  let offset = from + 1
  while (offset < text.length && text[offset] !== quote) offset += quote === '"' && text[offset] === '\\' ? 2 : 1
  return offset + 1
}
