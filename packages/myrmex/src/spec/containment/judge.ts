/** The real validator, asked about a value before it is given out as proof. */
import { at, type Json, type JsonObject } from '../../protocol/json.ts'
import { fromJsonSchema } from '../../protocol/json-schema.ts'
import type { SchemaValue } from './document.ts'

/** What is wrong with a value: nothing where it is accepted. `path` leads into the value. */
export type Faults = readonly { readonly path: readonly string[]; readonly message: string }[]
export type Compile = (schema: JsonObject) => (value: Json) => Faults

export const compileReal: Compile = (schema) => {
  // The output side: nothing is filled in before it is judged.
  const compiled = fromJsonSchema(schema, 'output')
  return (value) => {
    const parsed = compiled.parse(value)
    if (parsed.success) return []
    return parsed.issues.map(({ path, message }) => ({ path: stepsOf(path), message }))
  }
}

const stepsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

export class Judge {
  readonly #narrow: SchemaValue
  readonly #wide: SchemaValue
  readonly #compile: Compile
  #checks: { narrow: (value: Json) => Faults; wide: (value: Json) => Faults } | undefined
  /** why the validator could not be asked */
  failure: string | undefined

  constructor(narrow: SchemaValue, wide: SchemaValue, compile: Compile) {
    this.#narrow = narrow
    this.#wide = wide
    this.#compile = compile
  }

  /** Whether the first schema accepts the value and the second refuses it. */
  isWitness(value: Json): boolean {
    const checks = this.#checked()
    return checks !== undefined && checks.narrow(value).length === 0 && checks.wide(value).length > 0
  }

  /** What the second schema has against the value. */
  refusal(value: Json): { path: readonly string[]; why: string } {
    const faults = this.#checked()?.wide(value) ?? []
    const fault = faults.find(({ message }) => /anyOf|oneOf|NOT be valid/.test(message)) ?? faults[0]
    const path = fault?.path ?? []
    const place = path.length === 0 ? '' : ` at /${path.join('/')}`
    const found = at(value, path)
    const shown = found === undefined ? 'a value without it' : clipped(JSON.stringify(found))
    return {
      path,
      why: `${shown}${place} is accepted by the first schema and refused by the second: ${fault?.message ?? 'it may not be'}`,
    }
  }

  #checked(): { narrow: (value: Json) => Faults; wide: (value: Json) => Faults } | undefined {
    if (this.#checks !== undefined || this.failure !== undefined) return this.#checks
    try {
      this.#checks = { narrow: this.#made(this.#narrow), wide: this.#made(this.#wide) }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    }
    return this.#checks
  }

  #made(schema: SchemaValue): (value: Json) => Faults {
    if (typeof schema === 'object') return this.#compile(schema)
    return () => (schema ? [] : [{ path: [], message: 'no value is accepted' }])
  }
}

const clipped = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
