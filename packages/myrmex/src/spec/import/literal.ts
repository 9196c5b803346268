/** A JSON value as TypeScript would be written by hand: short ones on one line, names without quotes. */
import { readableJson } from '../../tool/text/readable-json.ts'

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

/** What a reader would not see is escaped: no document brings it into code. */
function quoted(text: string): string {
  const json = readableJson(text)
  if (text.includes("'") && !text.includes('"')) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
