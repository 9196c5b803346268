/** Reads TOML. Every error has its line and column. */
import { ToolError } from '../../../protocol/errors.ts'
import { isObject } from '../../../protocol/json.ts'

/** Deeper values are rejected, because they are processed recursively. */
const MAX_DEPTH = 100

export async function readToml(text: string, file: string): Promise<Record<string, unknown>> {
  const { parseToml, TomlError } = await import('../libraries.ts')
  try {
    return plain(parseToml(text, { maxDepth: MAX_DEPTH }))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const why = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '')
    throw ToolError.of('ValidationError', `${file}:${error.line}:${error.column}: invalid TOML: ${why}`)
  }
}

/** Its tables have no prototype, and its dates are no JSON. */
function plain(table: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, plainValue(value)]))
}

function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value === 'bigint') return Number(value)
  return isObject(value) ? plain(value) : value
}
