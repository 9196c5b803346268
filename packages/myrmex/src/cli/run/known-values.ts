/** Values from `--with name=value`. A value that is valid JSON is read as JSON, any other as text. */
import { ToolError } from '../../protocol/errors.ts'
import { type Json, type JsonObject, parseJson } from '../../protocol/json.ts'

export function parseKnownValues(given: readonly string[] = []): JsonObject {
  const known: JsonObject = {}
  for (const text of given) {
    const equals = text.indexOf('=')
    if (equals < 1)
      throw ToolError.of('ValidationError', `--with ${text}: enter a name and a value, such as --with category=coffee`)
    known[text.slice(0, equals).trim()] = parseAnswer(text.slice(equals + 1))
  }
  return known
}

/** Most answers are plain text. */
export function parseAnswer(text: string): Json {
  const value = parseJson(text)
  return value === undefined ? text : (value as Json)
}
