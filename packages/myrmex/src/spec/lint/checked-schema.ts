/**
 * A schema of a document: whether it is valid, and whether a value fits it. Ajv decides, as it does for every call. If the
 * answer is certain without Ajv, it is not asked, because compiling hundreds of schemas takes seconds. Nothing is fetched or
 * printed, and every check has a time limit.
 */
import { type Ajv, type AjvCheck, type AjvIssue, dialectOf, KNOWN_DIALECTS, withAjv } from '../../protocol/ajv.ts'
import { constraintText } from '../../protocol/constraint.ts'
import { isObject, type JsonObject, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { isSecretPath, secretNames } from '../../protocol/secret.ts'
import { judge, scopeOf } from '../../schema/json-schema/judge.ts'
import { isPlainSchema } from './plain-schema.ts'
import { showValue } from './show-value.ts'
import { type TimeLimit, TOO_SLOW } from './time-limit.ts'

/** What is wrong, and where in the schema or the value. */
export interface SchemaFault {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** the value found there, unless it is an object, an array or a secret */
  readonly found?: string | undefined
}

export type SchemaSide = 'input' | 'output'

export class CheckedSchema {
  readonly json: JsonObject
  readonly #side: SchemaSide
  readonly #timeLimit: TimeLimit
  /** certainly valid, without asking Ajv */
  #plain: boolean
  readonly #hasPattern: boolean
  #check: AjvCheck | undefined
  #faults: readonly SchemaFault[] | typeof TOO_SLOW | undefined

  constructor(json: JsonObject, side: SchemaSide, timeLimit: TimeLimit) {
    this.json = json
    this.#side = side
    this.#timeLimit = timeLimit
    this.#plain = isPlainSchema(json)
    this.#hasPattern = find(json, (key) => key === 'pattern') !== undefined
  }

  get hasReferences(): boolean {
    return find(this.json, (key) => key === '$ref' || key === '$dynamicRef') !== undefined
  }

  /** What makes the schema unusable. */
  get faults(): readonly SchemaFault[] | typeof TOO_SLOW {
    this.#faults ??= this.#plain ? [] : this.#timeLimit.run(() => this.#compile())
    return this.#faults
  }

  /** Empty if the value fits. Only for a schema without faults. */
  faultsOf(value: unknown): readonly SchemaFault[] | typeof TOO_SLOW {
    if (this.#plain && this.#certainlyFits(value)) return []
    const found = this.#timeLimit.run(() => this.#judge(value))
    // The next value would take too long as well.
    if (found === TOO_SLOW) this.#plain = false
    return found
  }

  #certainlyFits(value: unknown): boolean {
    const fits = () => judge(this.json, value, scopeOf(this.json), { fillsDefaults: this.#side === 'input' }) === 'fits'
    // A pattern can take long even on a short text.
    return (this.#hasPattern ? this.#timeLimit.run(fits) : fits()) === true
  }

  #judge(value: unknown): SchemaFault[] {
    const faults = this.#check === undefined ? this.#compile() : []
    const check = this.#check
    if (check === undefined) return faults
    try {
      // Ajv writes defaults into the value, which belongs to the document.
      return check(this.#side === 'input' ? structuredClone(value) : value)
        ? []
        : issuesOf(check.errors, value, this.json)
    } catch (error) {
      return [{ path: [], message: `cannot be checked: ${(error as Error).message}` }]
    }
  }

  #compile(): SchemaFault[] {
    const { json } = this
    if (Object.hasOwn(json, '$async')) return [{ path: ['$async'], message: 'has "$async", which is not JSON Schema' }]
    const faults = withAjv(json, this.#side, (ajv) => this.#compileWith(ajv))
    if (faults !== undefined) return faults
    const known = KNOWN_DIALECTS.join(' and ')
    return [{ path: ['$schema'], message: `is in dialect ${showValue(dialectOf(json))}. Known dialects: ${known}` }]
  }

  #compileWith(ajv: Ajv): SchemaFault[] {
    const { json } = this
    try {
      if (ajv.validateSchema(json) !== true) return schemaFaults(ajv.errors ?? [], json)
      this.#check = ajv.compile(json)
      return []
    } catch (error) {
      return [compileFault(error as Error, json)]
    }
  }
}

const MAX_ISSUES = 10

function issuesOf(issues: readonly AjvIssue[] | null | undefined, value: unknown, schema: JsonObject): SchemaFault[] {
  const secrets = secretNames(schema)
  const all = (issues ?? []).map((issue) => {
    const { instancePath, params } = issue
    const path = pathInto(instancePath, value)
    const unknown: unknown = params.additionalProperty ?? params.unevaluatedProperty
    if (unknown !== undefined) path.push(String(unknown))
    const here = valueAtPath(value, path)
    const isShown = typeof here !== 'object' && here !== undefined && !isSecretPath(path, secrets)
    return { path, message: sentenceOf(issue), found: isShown ? showValue(here) : undefined }
  })
  return all.slice(0, MAX_ISSUES)
}

/** In the words of all validators. Ajv reports a missing member at the object that lacks it. */
const sentenceOf = ({ keyword, params }: AjvIssue): string =>
  typeof params.missingProperty === 'string'
    ? `must have the property ${showValue(params.missingProperty)}`
    : constraintText(keyword, params)

function schemaFaults(issues: readonly AjvIssue[], schema: JsonObject): SchemaFault[] {
  const telling = issues.filter(({ keyword }) => keyword !== 'anyOf')
  return [...Map.groupBy(telling, ({ instancePath }) => instancePath)].slice(0, MAX_ISSUES).map(([path, here]) => {
    const messages = new Set(here.map(sentenceOf))
    return { path: pathInto(path, schema), message: [...messages].join(', or ') }
  })
}

/** Ajv reports what it could not compile, but not where. */
function compileFault(error: Error & { missingRef?: unknown }, schema: JsonObject): SchemaFault {
  if (typeof error.missingRef === 'string') {
    const reference = /can't resolve reference (\S+) from/.exec(error.message)?.[1] ?? error.missingRef
    const path = find(schema, (key, value) => key === '$ref' && value === reference) ?? []
    const message = reference.startsWith('#')
      ? `refers to ${showValue(reference)}, which does not exist`
      : `refers to ${showValue(reference)}, which is outside of the schema. Nothing is fetched, so put it under "$defs"`
    return { path, message }
  }
  const path = find(
    schema,
    (key, value) => typeof value === 'string' && key === 'pattern' && error.message.includes(value),
  )
  return { path: path ?? [], message: `does not compile: ${error.message}` }
}

/** The path of the first member for which this holds. */
function find(
  node: unknown,
  holds: (key: PropertyKey, value: unknown) => boolean,
  path: PropertyKey[] = [],
): PropertyKey[] | undefined {
  if (typeof node !== 'object' || node === null || path.length > 100) return undefined
  for (const [name, child] of Object.entries(node)) {
    const key = Array.isArray(node) ? Number(name) : name
    if (holds(key, child)) return [...path, key]
    const found = find(child, holds, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/** The steps of a JSON pointer into this value. Indexes of arrays are numbers. */
export function pathInto(pointer: string, value: unknown): PropertyKey[] {
  const steps: PropertyKey[] = []
  let here = value
  for (const name of pointerSteps(pointer)) {
    steps.push(Array.isArray(here) ? Number(name) : name)
    const inside = Array.isArray(here) || isObject(here)
    here = inside && Object.hasOwn(here as object, name) ? (here as Record<string, unknown>)[name] : undefined
  }
  return steps
}
