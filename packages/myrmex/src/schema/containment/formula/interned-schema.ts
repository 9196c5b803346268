/**
 * Schemas as nodes. Schemas with the same meaning are one node, in whichever document they are, so that a schema and its
 * opposite are recognised by their ids. The meaning includes the targets of references.
 */
import { canonical } from '../../../protocol/canonical.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isAssertedFormat } from '../../json-schema/formats.ts'
import { isSchema, vocabularyOf } from '../../json-schema/vocabulary.ts'
import type { SchemaDocument, SchemaValue } from '../schema-document.ts'

export interface InternedSchema {
  readonly id: number
  readonly schema: SchemaValue
  readonly document: SchemaDocument
}

/** A schema that must accept the value, or must reject it. */
export interface Literal {
  readonly node: InternedSchema
  readonly holds: boolean
}

export const literal = (node: InternedSchema, holds = true): Literal => ({ node, holds })

interface Meaning {
  readonly text: string
  readonly references: ReadonlySet<string>
}

const EMPTY: SchemaDocument = { root: true, draft07: false, patterns: new Set(), resolve: () => undefined }

export class SchemaInterner {
  readonly #byText = new Map<string, InternedSchema>()
  readonly #bySchema = new WeakMap<object, InternedSchema>()
  readonly #meanings = new WeakMap<object, Meaning>()
  readonly anything: InternedSchema = this.intern(true, EMPTY)

  intern(schema: SchemaValue, document: SchemaDocument): InternedSchema {
    const make = (): InternedSchema =>
      getOrMake(this.#byText, this.#identity(schema, document), () => ({ id: this.#byText.size, schema, document }))
    return typeof schema === 'object' ? getOrMake(this.#bySchema, schema, make) : make()
  }

  /** Interns a schema that is in no document. */
  internNew(schema: JsonObject): InternedSchema {
    return this.intern(schema, EMPTY)
  }

  #identity(schema: SchemaValue, document: SchemaDocument): string {
    const meaning = this.#meaning(schema, document)
    if (meaning.references.size === 0) return meaning.text
    const all = new Set(meaning.references)
    for (const reference of all) {
      const target = document.resolve(reference)
      if (target !== undefined) for (const more of this.#meaning(target, document).references) all.add(more)
    }
    const targets = [...all].sort().map((reference) => {
      const target = document.resolve(reference)
      return `${reference} ${target === undefined ? '' : this.#meaning(target, document).text}`
    })
    return [meaning.text, document.draft07, ...targets].join('\n')
  }

  #meaning(schema: SchemaValue, document: SchemaDocument): Meaning {
    if (typeof schema === 'boolean') return { text: String(schema), references: new Set() }
    const known = this.#meanings.get(schema)
    if (known !== undefined) return known
    const references = new Set<string>()
    const shapes = vocabularyOf(document.draft07)
    const inner = (value: unknown): string => {
      if (!isSchema(value)) return canonical(value)
      const meaning = this.#meaning(value, document)
      for (const reference of meaning.references) references.add(reference)
      return meaning.text
    }
    const parts: string[] = []
    for (const keyword of Object.keys(schema).sort()) {
      const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined
      const value = schema[keyword]
      if (shape === undefined || (keyword === 'format' && !isAssertedFormat(value as string))) continue
      if (keyword === '$ref') references.add(value as string)
      parts.push(`${JSON.stringify(keyword)}:${written(shape, keyword, value as Json, inner)}`)
    }
    // All schemas that accept everything are one node.
    const meaning = { text: parts.length === 0 ? 'true' : `{${parts.join(',')}}`, references }
    this.#meanings.set(schema, meaning)
    return meaning
  }
}

function written(shape: string, keyword: string, value: Json, inner: (value: unknown) => string): string {
  const holdsSchemas = shape === 'map' || keyword === 'dependencies'
  if (shape === 'schema' || (keyword === 'items' && !Array.isArray(value))) return inner(value)
  if (Array.isArray(value) && (shape === 'schemas' || keyword === 'items')) return `[${value.map(inner).join(',')}]`
  if (!holdsSchemas || !isObject(value)) return canonical(value)
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${inner(value[name])}`).join(',')}}`
}
