/**
 * Parses the files of an operator strictly, because an unnoticed typo would disable a rule. The error names every wrong location
 * and the keys that are known there.
 */
import type { ZodType } from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import type { Issue } from '../../protocol/issue.ts'
import { isObject, type JsonObject, pathToProto, pointer, valueAtPath } from '../../protocol/json.ts'
import type { SecretNames } from '../../protocol/secret.ts'
import { didYouMean } from '../../protocol/text.ts'
import { zodIssues } from '../../protocol/zod-issue.ts'
import { nearest } from '../../tool/nearest.ts'

export interface OperatorFile<T> {
  /** what it is called where it is wrong */
  readonly name: string
  readonly schema: ZodType<T>
  readonly jsonSchema: () => JsonObject
  /** names of fields whose values are not shown again */
  readonly secrets: SecretNames
}

const MAX_SHOWN = 10

/** Throws a ValidationError that names every wrong location; its details have them as `issues`. */
export function parseStrictly<T>(value: unknown, { name, schema, jsonSchema, ...file }: OperatorFile<T>): T {
  const unsafe = pathToProto(value)
  const parsed = schema.safeParse(value)
  if (parsed.success && unsafe === undefined) return parsed.data
  const secrets: SecretNames = { has: (field) => file.secrets.has(field), size: file.secrets.size, showsNames: true }
  // Made once: a file may have thousands of unknown keys.
  let known: JsonObject | undefined
  const issues = (parsed.error?.issues ?? []).flatMap((issue): Issue[] => {
    const { code, path } = issue
    if (code === 'unrecognized_keys') {
      known ??= jsonSchema()
      const fields = known
      return issue.keys.map((key) => unknownKey(fields, [...path, key]))
    }
    if (code === 'invalid_key') return [nameless(path, issue.issues[0]?.message ?? issue.message)]
    if (valueAtPath(value, path) === undefined) return [nameless(path, 'is missing')]
    return zodIssues([issue], value, secrets).map((described) => {
      const { constraint, message } = described
      // The value comes first here, so it is not repeated at the end.
      const said = message.startsWith(constraint) ? constraint : message
      return { ...described, message: `is ${JSON.stringify(described.value)}: ${said}` }
    })
  })
  // Zod would leave it out, and with it what it was to say.
  if (unsafe !== undefined && !issues.some(({ path }) => path === pointer(unsafe)))
    issues.push(nameless(unsafe, 'is a name that cannot be used. Rename it'))
  const words = issues.slice(0, MAX_SHOWN).map(({ path, message }) => `${path || 'the whole'} ${message}`)
  if (issues.length > MAX_SHOWN) words.push(`and ${issues.length - MAX_SHOWN} more`)
  throw ToolError.of('ValidationError', `The ${name} is not valid. ${words.join('; ')}`, {
    issues: issues.map((issue) => ({ ...issue })),
  })
}

const nameless = (path: readonly PropertyKey[], message: string): Issue => ({
  path: pointer(path),
  constraint: message,
  message,
  value: null,
})

/** Its value is not shown: it may be a token. */
function unknownKey(schema: JsonObject, path: readonly PropertyKey[]): Issue {
  const given = String(path.at(-1))
  const known = knownKeys(schema, path.slice(0, -1))
  const fields = known.length === 0 ? 'No fields are known here' : `Known fields: ${known.join(', ')}`
  return nameless(path, `is not known here.${didYouMean(nearest(given, known, 1))} ${fields}`)
}

/** What the JSON Schema has at a place in the file. */
function knownKeys(schema: JsonObject, path: readonly PropertyKey[]): string[] {
  let node: unknown = schema
  for (const step of path) {
    const { properties, items, additionalProperties } = node as JsonObject
    node = typeof step === 'number' ? items : (valueAtPath(properties, [step]) ?? additionalProperties)
  }
  const { properties, anyOf } = node as JsonObject
  // A value that may also be an object: the fields of that object.
  const object = isObject(properties)
    ? node
    : Array.isArray(anyOf) && anyOf.find((one) => valueAtPath(one, ['properties']))
  return isObject(object) ? Object.keys(object.properties as JsonObject) : []
}
