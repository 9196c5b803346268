/**
 * The errors that an author declares for a tool: the condition that brings each about and, if the author says so, the form of its
 * `error_details`. The form is for callers and documents. It is not checked during calls, so that no error is lost on its way to
 * the caller; `spec check` and `verify` hold the examples against it.
 */
import { isObject } from '../protocol/json.ts'
import { compileSchema, type Schema, type SchemaSource } from '../protocol/schema.ts'
import { type DefinitionFaults, shown } from './definition-faults.ts'

export interface DescribedError {
  /** the condition that brings it about */
  when: string
  /** the schema of its `error_details`: of an object, or of a string */
  details: SchemaSource
}

export interface DeclaredErrors {
  readonly conditions: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, Schema>>
}

/** Everything that is wrong with them is a fault of the definition. */
export function declaredErrors(errors: unknown, from: 'own' | 'foreign', faults: DefinitionFaults): DeclaredErrors {
  if (errors === undefined) faults.add('errors is missing; for none, write {}')
  else if (!isObject(errors)) faults.add(`errors must be an object of error types and conditions, not ${shown(errors)}`)
  const conditions: [string, string][] = []
  const details: [string, Schema][] = []
  for (const [type, declared] of Object.entries(isObject(errors) ? errors : {})) {
    const { when, details: source } = isObject(declared) ? declared : { when: declared, details: undefined }
    if (typeof when !== 'string' || type.trim() === '' || when.trim() === '')
      faults.add(`errors: ${shown(type)} must have the condition that brings it about, as a text or in "when"`)
    else conditions.push([type, when])
    if (!isObject(declared)) continue
    if (source === undefined)
      faults.add(`errors: ${shown(type)} must have a schema in "details"; for none, write its condition alone`)
    const schema =
      source === undefined ? undefined : faults.attempt(() => detailsSchema(type, source as SchemaSource, from))
    if (schema !== undefined) details.push([type, schema])
  }
  return {
    conditions: Object.freeze(Object.fromEntries(conditions)),
    details: Object.freeze(Object.fromEntries(details)),
  }
}

function detailsSchema(type: string, source: SchemaSource, from: 'own' | 'foreign'): Schema {
  const what = `the details of error ${type}`
  let schema: Schema
  try {
    schema = compileSchema(source, 'output', from)
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`)
  }
  if (schema.json.type !== 'object' && schema.json.type !== 'string')
    throw new Error(`${what} must have a schema of type object or string`)
  return schema
}
