/** Arguments that a tool refuses because they break its input schema: the failure that every tool has. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { Tool } from '../../tool/tool.ts'

/** Undefined: an example fails already, or the schema accepts anything. Its code does not run, whatever the tool does. */
export function refusedCall({ input, examples }: Tool): Record<string, unknown> | undefined {
  if (examples.some(({ error }) => error !== undefined)) return undefined
  const [required] = Array.isArray(input.json.required) ? input.json.required : []
  const properties = isObject(input.json.properties) ? Object.entries(input.json.properties) : []
  const given = examples[0]?.arguments ?? {}
  const candidates = [
    ...(typeof required === 'string' ? [without(given, required)] : []),
    ...properties.map(([name, schema]) => ({ ...given, [name]: wrongValue(schema as JsonObject) })),
  ]
  return candidates.find((args) => !accepts(input, args))
}

const without = (args: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([given]) => given !== name))

const wrongValue = ({ type }: JsonObject): unknown => (type === 'string' ? 42 : 'something else')

/** A schema that cannot be used refuses nothing here: that is found elsewhere. */
function accepts(input: Tool['input'], args: Record<string, unknown>): boolean {
  try {
    return input.parse(args).success
  } catch {
    return true
  }
}
