/** Values from `--with name=value`. A value that is valid JSON is read as JSON, any other as text. */
import { ToolError } from '../../protocol/errors.ts'
import { type Json, type JsonObject, parseJson } from '../../protocol/json.ts'

export function parseKnownValues(given: readonly string[] = []): JsonObject {
  const known = new Map<string, Json>()
  for (const text of given) {
    const equals = text.indexOf('=')
    const name = text.slice(0, Math.max(0, equals)).trim()
    if (name === '')
      throw ToolError.of('ValidationError', `--with ${text}: enter a name and a value, such as --with category=coffee`)
    if (known.has(name)) throw ToolError.of('ValidationError', `--with ${name} is given twice. Give each name once.`)
    known.set(name, parseAnswer(text.slice(equals + 1)))
  }
  // Unlike an assignment, this creates an own property for any name.
  return Object.fromEntries(known)
}

/** Most answers are plain text. A number that JSON cannot hold, such as 1e400, stays a text, so that errors show what was typed. */
export function parseAnswer(text: string): Json {
  const value = parseJson(text)
  return value === undefined || value === Infinity || value === -Infinity ? text : (value as Json)
}
