/**
 * Compiles a foreign schema to functions, without generated code. A schema that could take too much is rejected here: too many
 * schemas, too many that apply to one value once every reference is followed, one that refers to itself without going deeper, patterns
 * with backreferences or too many states. Work that depends on the value is bounded by the steps of its evaluation.
 */
import type { ConstraintParams } from '../constraint.ts'
import { ToolError } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import { compilePattern } from '../linear-pattern.ts'
import type { Check, Evaluation } from './evaluation.ts'
import type { KeywordContext, KeywordTable } from './keyword.ts'
import { asText } from './keyword.ts'
import { ARRAY_KEYWORDS, unevaluatedItems } from './keywords-array.ts'
import { LOGIC_KEYWORDS } from './keywords-logic.ts'
import { OBJECT_KEYWORDS, unevaluatedProperties } from './keywords-object.ts'
import { ANY_KEYWORDS, NUMBER_KEYWORDS, STRING_KEYWORDS } from './keywords-scalar.ts'
import { MAX_EXPANDED, MAX_PATTERN_STATES } from './limits.ts'
import { badSchema, SchemaDocument } from './schema-document.ts'

export interface CompileOptions {
  readonly draft07: boolean
  readonly isInput: boolean
  readonly checksFormats: boolean
}

/** A schema being compiled, or compiled. References point to it before its check exists. */
interface CompiledSchema {
  check: Check
  /** schemas that apply to the same value */
  readonly same: CompiledSchema[]
}

const accept: Check = (_value, run) => {
  run.spend(1)
  return true
}
const reject: Check = (_value, run) => {
  run.spend(1)
  return run.fail('false schema')
}

export function compileBounded(root: JsonObject, options: CompileOptions): Check {
  const compiler = new Compiler(new SchemaDocument(root), options)
  const compiled = compiler.compile(root, 'schema')
  compiler.finish()
  return compiled.check
}

class Compiler {
  readonly #document: SchemaDocument
  readonly #options: CompileOptions
  readonly #compiled = new Map<object, CompiledSchema>()
  readonly #patterns = new Map<string, (text: string, run: Evaluation) => boolean>()
  #statesLeft = MAX_PATTERN_STATES
  /** compiled after the schema at hand, so that long chains of references do not exhaust the stack */
  readonly #left: (() => void)[] = []

  constructor(document: SchemaDocument, options: CompileOptions) {
    this.#document = document
    this.#options = options
  }

  compile(schema: unknown, keyword: string): CompiledSchema {
    if (schema === true) return { check: accept, same: [] }
    if (schema === false) return { check: reject, same: [] }
    if (!isObject(schema)) throw badSchema(`has a ${keyword} that is not a schema`)
    const known = this.#compiled.get(schema)
    if (known !== undefined) return known
    const compiled: CompiledSchema = { check: accept, same: [] }
    this.#compiled.set(schema, compiled)
    this.#left.push(() => {
      compiled.check = this.#checkOf(schema, compiled)
    })
    return compiled
  }

  finish(): void {
    for (let next = this.#left.pop(); next !== undefined; next = this.#left.pop()) next()
    const sizes = new Map<CompiledSchema, number>()
    for (const compiled of this.#compiled.values()) expandedSize(compiled, sizes)
  }

  #checkOf(schema: Record<string, unknown>, compiled: CompiledSchema): Check {
    const context = this.#context(schema, compiled)
    const types = typeCheck(schema)
    const numbers = checksIn(NUMBER_KEYWORDS, context)
    const strings = checksIn(STRING_KEYWORDS, context)
    const arrays = checksIn(ARRAY_KEYWORDS, context)
    const objects = checksIn(OBJECT_KEYWORDS, context)
    const any = [...checksIn(ANY_KEYWORDS, context), ...checksIn(LOGIC_KEYWORDS, context)]
    const checksFor = (value: unknown): readonly Check[] => {
      if (typeof value === 'string') return strings
      if (typeof value === 'number') return numbers
      if (Array.isArray(value)) return arrays
      return typeof value === 'object' && value !== null ? objects : NONE
    }
    const all: Check = (value, run) => {
      run.enter()
      let fits = types === undefined || types(value, run)
      if (fits) fits = every(checksFor(value), value, run) && every(any, value, run)
      run.leave()
      return fits
    }
    return withUnevaluated(all, context)
  }

  #context(schema: Record<string, unknown>, compiled: CompiledSchema): KeywordContext {
    const sameValue = (target: CompiledSchema): Check => {
      compiled.same.push(target)
      return (value, run) => target.check(value, run)
    }
    return {
      schema,
      ...this.#options,
      same: (inner, keyword) => sameValue(this.compile(inner, keyword)),
      member: (inner, keyword) => {
        const target = this.compile(inner, keyword)
        return (value, run) => target.check(value, run)
      },
      reference: (reference) => sameValue(this.compile(this.#document.resolve(schema, reference), '$ref')),
      pattern: (source) => this.#pattern(source),
    }
  }

  #pattern(source: string): (text: string, run: Evaluation) => boolean {
    const known = this.#patterns.get(source)
    if (known !== undefined) return known
    try {
      const { matches, states } = compilePattern(source, this.#statesLeft)
      this.#statesLeft -= states
      const test = (text: string, run: Evaluation): boolean => {
        // The text is split into characters first.
        run.spend(text.length >> 3)
        return matches(text, (visits) => run.spend(visits))
      }
      this.#patterns.set(source, test)
      return test
    } catch (thrown) {
      const why = thrown instanceof ToolError ? thrown.message : String(thrown)
      throw badSchema(`has the pattern ${JSON.stringify(source.slice(0, 100))}, which cannot be used: ${why}`)
    }
  }
}

const NONE: readonly Check[] = []

function checksIn(table: KeywordTable, context: KeywordContext): Check[] {
  const checks: Check[] = []
  for (const [keyword, make] of Object.entries(table)) {
    const value = context.schema[keyword]
    if (value === undefined || !Object.hasOwn(context.schema, keyword)) continue
    const check = make(value, context)
    if (check !== undefined) checks.push(check)
  }
  return checks
}

function every(checks: readonly Check[], value: unknown, run: Evaluation): boolean {
  let fits = true
  for (const check of checks) {
    if (check(value, run)) continue
    fits = false
    if (run.stopsAtFailure) break
  }
  return fits
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: isObject,
}

function typeCheck(schema: Record<string, unknown>): Check | undefined {
  const { type, nullable } = schema
  if (type === undefined) return undefined
  const names = [...new Set(Array.isArray(type) ? type : [type])].map((name) => asText(name, 'type'))
  const tests = names.map((name) => (Object.hasOwn(TYPES, name) ? TYPES[name] : undefined))
  if (names.length === 0 || tests.includes(undefined)) throw badSchema(`has the unknown type ${JSON.stringify(type)}`)
  if (nullable === true) tests.push(TYPES.null)
  const [keyword, params] = typeRule(schema, nullable === true ? [...names, 'null'] : names)
  const [only, ...more] = tests as ((value: unknown) => boolean)[]
  if (only !== undefined && more.length === 0) return (value, run) => only(value) || run.fail(keyword, params)
  return (value, run) => tests.some((test) => test?.(value)) || run.fail(keyword, params)
}

/** A list of values says more than their type. */
function typeRule(
  schema: Record<string, unknown>,
  type: readonly string[],
): [keyword: string, params: ConstraintParams] {
  if (Array.isArray(schema.enum)) return ['enum', { allowedValues: schema.enum }]
  return Object.hasOwn(schema, 'const') ? ['const', { allowedValue: schema.const }] : ['type', { type }]
}

/** Counts what is evaluated, if the schema asks for it, and checks the rest at the end. */
function withUnevaluated(all: Check, context: KeywordContext): Check {
  const { unevaluatedProperties: names, unevaluatedItems: items } = context.draft07 ? {} : context.schema
  if (names === undefined && items === undefined) return all
  const forObjects = names === undefined ? accept : unevaluatedProperties(names, context)
  const forArrays = items === undefined ? accept : unevaluatedItems(items, context)
  const withRest: Check = (value, run) => {
    if (!all(value, run)) return false
    if (Array.isArray(value)) return forArrays(value, run)
    return isObject(value) ? forObjects(value, run) : true
  }
  return (value, run) => run.apart(withRest, value)
}

/** How many schemas apply to one value, itself included. Each is computed once. */
function expandedSize(start: CompiledSchema, sizes: Map<CompiledSchema, number>): void {
  const open = new Set<CompiledSchema>()
  const stack = [start]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (sizes.has(top)) {
      stack.pop()
      continue
    }
    const isReturning = open.has(top)
    const unknown = top.same.filter((inner) => !sizes.has(inner))
    if (!isReturning && unknown.length > 0) {
      if (unknown.some((inner) => open.has(inner) || inner === top))
        throw badSchema('refers to itself for the same value, so that checking it would never end')
      open.add(top)
      stack.push(...unknown)
      continue
    }
    if (unknown.length > 0) throw badSchema('refers to itself for the same value, so that checking it would never end')
    let size = 1
    for (const inner of top.same) size += sizes.get(inner) ?? 0
    if (size > MAX_EXPANDED)
      throw badSchema(`applies more than ${MAX_EXPANDED} schemas to one value, once its references are followed`)
    sizes.set(top, size)
    open.delete(top)
    stack.pop()
  }
}
