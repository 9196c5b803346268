/** Plain JSON Schema, 2020-12 unless it says draft-07, through Ajv. */
import { type AjvCheck, dialectOf, KNOWN_DIALECTS, withAjv } from './ajv.ts'
import { ToolError } from './errors.ts'
import { describeIssue } from './issue.ts'
import { type JsonObject, pointerSteps } from './json.ts'
import type { Schema } from './schema.ts'
import { secretNames } from './secret.ts'

/** Ajv is loaded and a schema compiled on first use: a thousand schemas at start would cost a second or two. */
export function fromJsonSchema(source: JsonObject, side: 'input' | 'output'): Schema {
  const secrets = secretNames(source)
  let check: AjvCheck | undefined
  const fills = side === 'input' && JSON.stringify(source).includes('"default"')
  return {
    json: source,
    validates: 'json',
    secrets,
    parse(value) {
      check ??= compileAjv(source, side)
      // Ajv writes defaults into what it checks, and that belongs to the caller.
      const own = fills ? structuredClone(value) : value
      if (check(own)) return { success: true, data: own }
      const issues = (check.errors ?? []).map((error) => {
        const path = pointerSteps(error.instancePath)
        if (error.keyword === 'required') path.push(String(error.params.missingProperty))
        const message = error.message ?? error.keyword
        return describeIssue(path, `${error.keyword} ${JSON.stringify(error.params)}`, message, value, secrets)
      })
      return { success: false, issues }
    },
  }
}

function compileAjv(source: JsonObject, side: 'input' | 'output'): AjvCheck {
  // Ajv would answer with a promise, and every value would seem to fit.
  if (Object.hasOwn(source, '$async'))
    throw ToolError.of('RegistrationError', `the ${side} schema has "$async", which is no JSON Schema`)
  let check: AjvCheck | undefined
  try {
    check = withAjv(source, side, (ajv) => ajv.compile(source))
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
