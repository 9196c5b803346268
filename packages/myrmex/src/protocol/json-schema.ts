/**
 * Plain JSON Schema, 2020-12 unless it says draft-07. Schemas of our own tools are compiled by Ajv, which stops at the first issue;
 * if there is one, the bounded check lists them. Foreign schemas never reach Ajv.
 */
import { type AjvCheck, type AjvIssue, dialectOf, KNOWN_DIALECTS, withAjv } from './ajv.ts'
import { type BoundedCheck, boundedCheck, TOO_MUCH_WORK } from './bounded-schema/bounded-schema.ts'
import { ToolError } from './errors.ts'
import { describeIssue, type Issue } from './issue.ts'
import { type JsonObject, pointerSteps } from './json.ts'
import type { Schema } from './schema.ts'
import { type SecretNames, secretNames } from './secret.ts'

/** Ajv is loaded and a schema compiled on first use: a thousand schemas at start would cost a second or two. */
export function fromJsonSchema(source: JsonObject, side: 'input' | 'output'): Schema {
  const text = JSON.stringify(source)
  const secrets = secretNames(source)
  const fills = side === 'input' && text.includes('"default"')
  // Ajv compares every item with every other, and a caller may send a hundred thousand.
  if (text.includes('"uniqueItems"')) return boundedSchema(source, side, secrets, fills)
  let check: AjvCheck | undefined
  let list: ((value: unknown) => Issue[]) | undefined
  return {
    json: source,
    validates: 'json',
    secrets,
    parse(value) {
      check ??= compileAjv(source, side)
      // Ajv writes defaults into what it checks, and that belongs to the caller.
      const own = fills ? structuredClone(value) : value
      if (check(own)) return { success: true, data: own }
      const [first] = check.errors ?? []
      list ??= issueLister(source, side, secrets)
      const issues = list(value)
      return { success: false, issues: issues.length > 0 ? issues : [ajvIssue(first, value, secrets)] }
    },
  }
}

/** A schema of somebody else: bounded in every way. Throws RegistrationError on first use if it exceeds a bound. */
export const fromForeignSchema = (source: JsonObject, side: 'input' | 'output'): Schema =>
  boundedSchema(source, side, secretNames(source), false)

function boundedSchema(source: JsonObject, side: 'input' | 'output', secrets: SecretNames, fills: boolean): Schema {
  let check: BoundedCheck | undefined
  return {
    json: source,
    validates: 'json',
    secrets,
    parse(value, budget) {
      check ??= named(side, () => boundedCheck(source, { side, secrets }))
      const own = fills ? structuredClone(value) : value
      const issues = check(own, fills, budget)
      return issues.length === 0 ? { success: true, data: own } : { success: false, issues }
    },
  }
}

/** Says in an error which schema it is about. */
function named<T>(side: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown
    throw ToolError.of('RegistrationError', `the ${side} schema ${thrown.message}`)
  }
}

/** The issues of a value that Ajv rejects. None if the bounded check cannot be made or finds nothing: then the first one must do. */
function issueLister(source: JsonObject, side: 'input' | 'output', secrets: SecretNames): (value: unknown) => Issue[] {
  try {
    const list = boundedCheck(source, { side, secrets })
    return (value) => list(value).filter(({ constraint }) => constraint !== TOO_MUCH_WORK)
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown
    return () => []
  }
}

function ajvIssue(error: AjvIssue | undefined, value: unknown, secrets: SecretNames): Issue {
  const { instancePath = '', keyword = '', params = {} } = error ?? {}
  const member = [
    params.missingProperty,
    params.additionalProperty,
    params.unevaluatedProperty,
    params.propertyName,
  ].find((name) => typeof name === 'string')
  const path = [...pointerSteps(instancePath), ...(member === undefined ? [] : [member as string])]
  return describeIssue({ path, keyword, params }, value, secrets)
}

function compileAjv(source: JsonObject, side: 'input' | 'output'): AjvCheck {
  // Ajv would answer with a promise, and every value would seem to fit.
  if (Object.hasOwn(source, '$async'))
    throw ToolError.of('RegistrationError', `the ${side} schema has "$async", which is no JSON Schema`)
  let check: AjvCheck | undefined
  try {
    check = withAjv(source, side, (ajv) => ajv.compile(source), 'first')
  } catch (error) {
    throw ToolError.of('RegistrationError', `the ${side} schema does not compile: ${(error as Error).message}`)
  }
  if (check !== undefined) return check
  const known = KNOWN_DIALECTS.join(', ')
  throw ToolError.of(
    'RegistrationError',
    `the ${side} schema is in dialect ${dialectOf(source)}; supported are ${known}`,
  )
}
