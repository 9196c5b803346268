/**
 * Grades a change of a definition against the definition that was decided about:
 *
 * - harmless: only ways of writing differ, from the closed lists in schema-equivalences.ts and listing-change.ts. It cannot change what a
 *   call does or what a model reads.
 * - wider: the same texts, but an input accepts more values, or an output promises more.
 * - different: anything else, also what cannot be decided with bounded work.
 * - suspicious: new findings of the scanner, a tool that now changes state, a new required input.
 */
import { canonical } from '../../protocol/canonical.ts'
import { isObject } from '../../protocol/json.ts'
import { isSameValue } from '../difference/format.ts'
import { pointerInWords } from '../difference/place-in-words.ts'
import { MAX_DEPTH } from '../verify/definition-texts.ts'
import type { VerifyFinding } from '../verify/finding.ts'
import { scanDefinition } from '../verify/scan/scan-definition.ts'
import type { ToolBody } from '../verify/verify-tool.ts'
import { isSameListing, withDefaultHints } from './listing-change.ts'
import { GradeBudget, gradeSchema, type SchemaChange } from './schema-change.ts'
import { SCHEMA_KEYWORDS, SCHEMA_LISTS, SCHEMA_MAPS } from './schema-keywords.ts'

export { GradeBudget } from './schema-change.ts'

export type ChangeGrade = 'harmless' | 'wider' | 'different' | 'suspicious'

export interface GradedChange {
  readonly grade: ChangeGrade
  /** of a suspicious change: why it is, in sentences */
  readonly reasons: readonly string[]
}

/** Both are what a caller can see (`visibleDefinition`) of the same version of the same name. */
export function gradeChange(before: ToolBody, after: ToolBody, budget = new GradeBudget()): GradedChange {
  const reasons = [...stateReasons(before, after), ...inputReasons(before, after), ...textReasons(before, after)]
  if (reasons.length > 0) return { grade: 'suspicious', reasons }
  return { grade: gradeFields(before, after, budget), reasons }
}

/** The host sets these itself, from the operator's file and from what the server as a whole can do. */
const OF_HOST = new Set(['timeout', 'task'])

function gradeFields(before: ToolBody, after: ToolBody, budget: GradeBudget): ChangeGrade {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !OF_HOST.has(field) && !isSameValue(before[field], after[field]),
  )
  const schemas = fields.flatMap((field): SchemaChange[] => {
    if (field === 'inputSchema') return [gradeSchema(before.inputSchema, after.inputSchema, 'input', budget)]
    if (field === 'outputSchema') return [gradeSchema(before.outputSchema, after.outputSchema, 'output', budget)]
    // What the server says is in the listing: the operator's file has made it a tool that needs more than before.
    if (field === 'destructive' && after.destructive && hasSameListing(before, after)) return []
    // A hint that writes out its default, as in a listing.
    if (field === 'openWorld' && (before.openWorld ?? true) === (after.openWorld ?? true)) return []
    return field === 'listing' && isSameListing(before.listing, after.listing) ? [] : ['different']
  })
  return schemas.includes('different') ? 'different' : schemas.includes('wider') ? 'wider' : 'harmless'
}

const hasSameListing = (before: ToolBody, after: ToolBody): boolean =>
  isObject(after.listing) && isSameListing(before.listing, after.listing)

const hintsOf = (body: ToolBody): Record<string, unknown> =>
  withDefaultHints(isObject(body.listing) ? body.listing.annotations : undefined)

const hintsDiffer = (before: ToolBody, after: ToolBody): boolean => !isSameValue(hintsOf(before), hintsOf(after))

function stateReasons(before: ToolBody, after: ToolBody): string[] {
  if (!hintsDiffer(before, after) && isObject(after.listing)) return []
  const isDestructive = (body: ToolBody): boolean => {
    const { readOnlyHint, destructiveHint } = hintsOf(body)
    return body.destructive && readOnlyHint !== true && destructiveHint !== false
  }
  const turnsOn = (after.destructive && !before.destructive) || (isDestructive(after) && !isDestructive(before))
  return turnsOn && isSaidByServer(before, after) ? ['It now says that it changes state or destroys something.'] : []
}

/** The operator's file decides about some tools: what it takes back is no word of the server. */
function isSaidByServer(before: ToolBody, after: ToolBody): boolean {
  if (!isObject(before.listing) || !isObject(after.listing)) return true
  const [was, is] = [hintsOf(before), hintsOf(after)]
  return (['readOnlyHint', 'destructiveHint'] as const).some((hint) => !isSameValue(was[hint], is[hint]))
}

function inputReasons(before: ToolBody, after: ToolBody): string[] {
  const added = new Set<string>()
  findNewlyRequired(before.inputSchema, after.inputSchema, added)
  return added.size === 0
    ? []
    : [`It now requires the input ${[...added].map((name) => JSON.stringify(name)).join(', ')}.`]
}

/** At the same places of both schemas. Within `not` and `if` a required name asks for nothing. Any change of a deeper schema is different. */
function findNewlyRequired(before: unknown, after: unknown, added: Set<string>, depth = 0): void {
  if (!isObject(after) || depth > MAX_DEPTH) return
  const old = isObject(before) ? before : {}
  const was = new Set(Array.isArray(old.required) ? old.required : [])
  for (const name of Array.isArray(after.required) ? after.required : [])
    if (typeof name === 'string' && !was.has(name)) added.add(name)
  const parts = partsOf(old)
  // What is required within a new part concerns only those who use it.
  for (const [key, part] of partsOf(after))
    if (parts.has(key)) findNewlyRequired(parts.get(key), part, added, depth + 1)
}

/** The schemas in a schema, by keyword and name or index. */
function partsOf(schema: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const parts = new Map<string, unknown>()
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'not' || keyword === 'if') continue
    if (SCHEMA_KEYWORDS.has(keyword) && !Array.isArray(value)) parts.set(keyword, value)
    else if (hasParts(keyword, value))
      for (const [name, part] of Object.entries(value)) parts.set(`${keyword} ${name}`, part)
  }
  return parts
}

const hasParts = (keyword: string, value: unknown): value is object =>
  isObject(value)
    ? SCHEMA_MAPS.has(keyword)
    : Array.isArray(value) && (SCHEMA_LISTS.has(keyword) || keyword === 'items')

/** A finding that the decided definition has as well was there to be seen. */
function textReasons(before: ToolBody, after: ToolBody): string[] {
  const key = ({ where, message }: VerifyFinding): string => `${where}: ${message}`
  const known = new Set(errorsIn(before).map(key))
  return errorsIn(after)
    .filter((error) => !known.has(key(error)))
    .map(({ where, message }) => `${pointerInWords(where)}: ${message}`)
}

const errorsIn = (body: ToolBody): VerifyFinding[] => scanDefinition(body).filter(({ grade }) => grade !== 'note')

/** Comparing again what was compared before would cost an operator's list too much time. */
const MAX_CACHED = 2000
const cache = new Map<string, GradedChange>()

/** The same, for lists that are shown often. The hashes identify the definitions. */
export function cachedGrade(
  before: { readonly hash: string; readonly body: ToolBody },
  after: { readonly hash: string; readonly body: ToolBody },
  budget = new GradeBudget(),
): GradedChange {
  const key = canonical([before.hash, after.hash])
  const known = cache.get(key)
  if (known !== undefined) return known
  const graded = gradeChange(before.body, after.body, budget)
  if (budget.isSpent) return graded
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string)
  cache.set(key, graded)
  return graded
}
