/** Zod's issues in the words that all validators share (see constraint.ts). A message of the schema's author stays as it is. */
import * as z from 'zod'
import { narrowAlternatives } from './alternatives.ts'
import { constraintText } from './constraint.ts'
import { describeIssue, type FoundIssue, type Issue, MAX_ISSUES } from './issue.ts'
import { isObject, valueAtPath } from './json.ts'
import type { SecretNames } from './secret.ts'

/** As Zod collects them, or as an error has them. Only the former know the schema that they are of. */
type ZodIssue = z.core.$ZodRawIssue | z.core.$ZodIssue
type Fields = Readonly<Record<string, unknown>>

const NO_SECRETS: SecretNames = new Set<string>()

/** The first 20 of them. `whole` is the value that was parsed. */
export function zodIssues(issues: readonly ZodIssue[], whole: unknown, secrets: SecretNames = NO_SECRETS): Issue[] {
  return issues
    .slice(0, MAX_ISSUES)
    .flatMap((issue) => foundIssues(issue, whole, []))
    .slice(0, MAX_ISSUES)
    .map((found) => describeIssue(found, whole, secrets))
}

/** What is wrong with a value; nothing if it fits. */
export function issuesOf(schema: z.ZodType, value: unknown, secrets?: SecretNames): Issue[] {
  const { issues } = schema._zod.run({ value, issues: [] }, { async: false }) as z.core.ParsePayload
  return zodIssues(issues, value, secrets)
}

/** What is wrong with a value, each with its location and a sentence without the value: that of the schema's author, or else ours. */
export const zodFaults = (schema: z.ZodType, value: unknown): { readonly path: string; readonly message: string }[] =>
  issuesOf(schema, value).map((issue) => ({ path: issue.path, message: sentenceOf(issue) }))

/** The sentence for one issue of an error. */
export function zodSentence(issue: ZodIssue, whole: unknown): string {
  const [described] = zodIssues([issue], whole)
  return described === undefined ? constraintText('') : sentenceOf(described)
}

const sentenceOf = ({ constraint, message }: Issue): string => (message.startsWith(constraint) ? constraint : message)

/** `above`: the location of the union that the issue is within. */
function foundIssues(issue: ZodIssue, whole: unknown, above: readonly PropertyKey[]): FoundIssue[] {
  const path = [...above, ...(issue.path ?? [])]
  const said = authorMessage(issue, valueAtPath(whole, path))
  const fields = issue as unknown as Fields
  const isMissing = path.length > 0 && valueAtPath(whole, path) === undefined
  if (issue.code === 'custom')
    return [{ path, keyword: 'custom', params: {}, ...(said !== undefined && { message: said }) }]
  if (issue.code === 'unrecognized_keys') return unknownKeys(path, fields, said)
  if (issue.code === 'invalid_union' && said === undefined && !isMissing) return unionIssues(path, fields, whole)
  const [keyword, params] = isMissing ? (['required', {}] as const) : ruleOf(fields)
  return [{ path, keyword, params, ...(said !== undefined && { message: said }) }]
}

/** Undefined if the message is Zod's own, which is made of the same fields. An error has not kept the value. */
function authorMessage(issue: ZodIssue, value: unknown): string | undefined {
  const config = z.core.config()
  const raw = { input: value, ...issue } as z.core.$ZodRawIssue
  const own = config.localeError?.(raw)
  const { message } = z.core.util.finalizeIssue(raw, { async: false }, config)
  return message === (isObject(own) ? own.message : (own ?? 'Invalid input')) ? undefined : message
}

function unknownKeys(path: readonly PropertyKey[], { keys, inst }: Fields, message: string | undefined): FoundIssue[] {
  const shape = valueAtPath(inst, ['_zod', 'def', 'shape'])
  const known = isObject(shape) ? Object.keys(shape) : undefined
  return (keys as readonly string[]).slice(0, MAX_ISSUES).map((key) => ({
    path: [...path, key],
    keyword: 'additionalProperties',
    params: { known },
    ...(message !== undefined && { message }),
  }))
}

function unionIssues(path: readonly PropertyKey[], fields: Fields, whole: unknown): FoundIssue[] {
  const { errors, options } = fields
  if (Array.isArray(options)) return [{ path, keyword: 'enum', params: { allowedValues: options } }]
  const branches = ((errors ?? []) as readonly (readonly ZodIssue[])[]).map((branch) =>
    branch.slice(0, MAX_ISSUES).flatMap((issue) => foundIssues(issue, whole, path)),
  )
  // Without the issues of each form, more than one of them fits.
  return branches.length === 0 ? [{ path, keyword: 'oneOf', params: {} }] : narrowAlternatives(branches, path)
}

/** Zod's names of types that JSON Schema names differently. */
const TYPES: Readonly<Record<string, string>> = { int: 'integer', tuple: 'array', record: 'object', bool: 'boolean' }
const FORMATS: Readonly<Record<string, string>> = { datetime: 'date-time', guid: 'uuid' }
const BOUNDS = { min: ['minimum', 'exclusiveMinimum'], max: ['maximum', 'exclusiveMaximum'] } as const
const LENGTHS: Readonly<Record<string, string>> = { string: 'Length', array: 'Items', set: 'Items' }

/** The keyword of JSON Schema that says the same, and its params. */
function ruleOf(issue: Fields): readonly [keyword: string, params: Fields] {
  switch (issue.code) {
    case 'invalid_type':
      return typeRule(issue)
    case 'invalid_value':
      return ['enum', { allowedValues: issue.values }]
    case 'too_small':
      return boundRule('min', issue.minimum, issue)
    case 'too_big':
      return boundRule('max', issue.maximum, issue)
    case 'not_multiple_of':
      return ['multipleOf', { multipleOf: issue.divisor }]
    case 'invalid_format':
      return formatRule(issue)
    case 'invalid_key':
      return ['propertyNames', {}]
    default:
      return ['', {}]
  }
}

function typeRule({ expected, received }: Fields): readonly [string, Fields] {
  if (expected === 'never' || expected === 'undefined' || expected === 'void') return ['false schema', {}]
  if (received === 'NaN' || received === 'Infinity') return ['type', { type: 'finite number' }]
  return ['type', { type: TYPES[String(expected)] ?? expected }]
}

function boundRule(
  side: 'min' | 'max',
  limit: unknown,
  { origin, inclusive, exact }: Fields,
): readonly [string, Fields] {
  const length = LENGTHS[String(origin)]
  if (length === undefined) return [BOUNDS[side][inclusive === false ? 1 : 0], { limit }]
  return [exact === true ? `exact${length}` : `${side}${length}`, { limit }]
}

function formatRule({ format, pattern, prefix, suffix, includes }: Fields): readonly [string, Fields] {
  if (prefix !== undefined) return ['startsWith', { text: prefix }]
  if (suffix !== undefined) return ['endsWith', { text: suffix }]
  if (includes !== undefined) return ['includes', { text: includes }]
  if (format === 'regex' || format === 'template_literal') return ['pattern', { pattern: sourceOf(pattern) }]
  return ['format', { format: FORMATS[String(format)] ?? format }]
}

/** Zod has a regular expression, or its text with the slashes. */
const sourceOf = (pattern: unknown): string => String(pattern).replace(/^\/(.*)\/[a-z]*$/s, '$1')
