/** Confirms with the real validator that a value is accepted by the first schema and rejected by the second. */
import { messageOf } from '../../protocol/errors.ts'
import { type Json, type JsonObject, pointer, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { fromForeignSchema } from '../../protocol/json-schema.ts'
import { clip } from '../../protocol/text.ts'
import { matchesPattern } from '../json-schema/pattern.ts'
import type { SchemaDocument, SchemaValue } from './schema-document.ts'

/** The faults of a value; empty if it is accepted. `path` leads into the value. */
export type ValidationFaults = readonly { readonly path: readonly string[]; readonly message: string }[]
type Check = (value: Json) => ValidationFaults
export type CompileSchema = (schema: JsonObject) => Check

export const compileForeign: CompileSchema = (schema) => {
  // The output side does not fill in defaults.
  const compiled = fromForeignSchema(schema, 'output')
  return (value) => {
    const parsed = compiled.parse(value)
    if (parsed.success) return []
    return parsed.issues.map(({ path, constraint }) => ({ path: pointerSteps(path), message: constraint }))
  }
}

export class WitnessCheck {
  readonly #narrow: SchemaDocument
  readonly #wide: SchemaDocument
  readonly #compile: CompileSchema
  #checks: { narrow: Check; wide: Check } | undefined
  /** why the schemas could not be compiled */
  failure: string | undefined

  constructor(narrow: SchemaDocument, wide: SchemaDocument, compile: CompileSchema) {
    this.#narrow = narrow
    this.#wide = wide
    this.#compile = compile
  }

  /** Whether the first schema accepts the value and the second rejects it. */
  isWitness(value: Json): boolean {
    if (!this.#isHarmless(value)) return false
    const checks = this.#checked()
    return checks !== undefined && checks.narrow(value).length === 0 && checks.wide(value).length > 0
  }

  /** Why the second schema rejects the value. */
  refusal(value: Json): { path: readonly string[]; why: string } {
    const faults = this.#checked()?.wide(value) ?? []
    // Every branch of a failed choice has faults. The deepest one is the most specific.
    const fault = faults.toSorted((a, b) => b.path.length - a.path.length)[0]
    const path = fault?.path ?? []
    const found = valueAtPath(value, path)
    const place = path.length === 0 ? '' : ` at ${pointer(path)}`
    const what = found === undefined ? `a value without ${pointer(path)}` : clip(JSON.stringify(found), 120) + place
    const why = fault?.message ?? 'it may not be'
    return { path, why: `${what} is accepted by the first schema and rejected by the second: ${why}` }
  }

  /** Some patterns take exponential time on long texts, and the validator would try them. */
  #isHarmless(value: Json): boolean {
    const patterns = [...this.#narrow.patterns, ...this.#wide.patterns]
    return textsIn(value).every((text) => patterns.every((pattern) => matchesPattern(pattern, text) !== undefined))
  }

  #checked(): { narrow: Check; wide: Check } | undefined {
    if (this.#checks !== undefined || this.failure !== undefined) return this.#checks
    try {
      this.#checks = { narrow: this.#made(this.#narrow.root), wide: this.#made(this.#wide.root) }
    } catch (error) {
      this.failure = messageOf(error)
    }
    return this.#checks
  }

  #made(schema: SchemaValue): Check {
    if (typeof schema === 'object') return this.#compile(schema)
    return () => (schema ? [] : [{ path: [], message: 'no value is accepted' }])
  }
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const keys = Array.isArray(value) ? [] : Object.keys(value)
  return [...keys, ...Object.values(value).flatMap((item) => textsIn(item as Json))]
}
