/**
 * Arguments that a schema drops without a word, because it does not name them: usually a misspelled name. For a tool that changes state
 * this is an error, since a person would approve what the tool never gets. Names are looked up in the JSON Schema, through objects, lists
 * and compositions. Where that allows other names, or does not say which names there are, nothing is an error.
 */
import { describeIssue, type Issue, MAX_ISSUES } from '../protocol/issue.ts'
import { isObject, resolveRef } from '../protocol/json.ts'
import type { Schema } from '../protocol/schema.ts'
import { didYouMean } from '../protocol/text.ts'
import { nearest } from './nearest.ts'

/** At most 20. `parsed` is what the schema made of the arguments. */
export function droppedArguments(schema: Schema, args: unknown, parsed: unknown): Issue[] {
  if (schema.isPreprocessed) return []
  const search = new Search(schema, args)
  search.visit([schema.json], args, parsed, [])
  return search.issues
}

type Fields = Readonly<Record<string, unknown>>

/** With one of them a schema may allow names that it does not list. */
const UNCLEAR = ['$dynamicRef', 'dependencies', 'dependentSchemas', 'if', 'patternProperties', 'unevaluatedProperties']

class Search {
  readonly issues: Issue[] = []
  readonly #schema: Schema
  readonly #whole: unknown

  constructor(schema: Schema, whole: unknown) {
    this.#schema = schema
    this.#whole = whole
  }

  /** `schemas`: all that may describe the value. */
  visit(schemas: readonly unknown[], value: unknown, parsed: unknown, path: readonly PropertyKey[]): void {
    if (typeof value !== 'object' || value === null) return
    const forms = this.#forms(schemas)
    if (forms === undefined) return
    if (!Array.isArray(value)) return this.#object(forms.filter(isObjectForm), value, parsed, path)
    for (const [index, item] of value.entries()) {
      const within = forms.flatMap(({ items, prefixItems }) => {
        const one = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items
        return one === undefined ? [] : [one as unknown]
      })
      this.visit(within, item, Array.isArray(parsed) ? parsed[index] : undefined, [...path, index])
    }
  }

  #object(forms: readonly Fields[], value: object, parsed: unknown, path: readonly PropertyKey[]): void {
    if (forms.length === 0) return
    const isOpen = forms.some(({ properties, additionalProperties: others }) =>
      others === undefined ? properties === undefined : others !== false,
    )
    for (const [name, member] of Object.entries(value)) {
      const within = forms.flatMap(({ properties, additionalProperties }) =>
        isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : listOf(additionalProperties),
      )
      const after = isObject(parsed) && Object.hasOwn(parsed, name) ? parsed[name] : undefined
      if (within.length > 0) this.visit(within, member, after, [...path, name])
      else if (!isOpen && member !== undefined && after === undefined) this.#add(forms, [...path, name], name)
    }
  }

  #add(forms: readonly Fields[], path: readonly PropertyKey[], name: string): void {
    if (this.issues.length === MAX_ISSUES) return
    const known = forms.flatMap(({ properties }) => Object.keys((properties ?? {}) as object))
    const near = nearest(name, known, 1)
    const message = near.length === 0 ? {} : { message: `is not a known property.${didYouMean(near)}` }
    const found = { path, keyword: 'additionalProperties', params: { known: [...new Set(known)] }, ...message }
    this.issues.push(describeIssue(found, this.#whole, this.#schema.secrets))
  }

  /** The schemas of objects and lists among these and what they are composed of. Undefined: they do not say which names there are. */
  #forms(schemas: readonly unknown[], seen: Set<unknown> = new Set()): Fields[] | undefined {
    const forms: Fields[] = []
    for (const schema of schemas) {
      if (seen.has(schema)) continue
      seen.add(schema)
      if (!isObject(schema) || UNCLEAR.some((keyword) => Object.hasOwn(schema, keyword))) return undefined
      const { $ref, type, allOf, anyOf, oneOf } = schema
      const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
      if (typeof $ref === 'string') parts.push(resolveRef(this.#schema.json, $ref))
      const within = this.#forms(parts, seen)
      if (within === undefined || (type === undefined && parts.length === 0)) return undefined
      forms.push(...within)
      if (hasMembers(schema)) forms.push(schema)
      else if (parts.length === 0 && (type === 'object' || type === 'array')) return undefined
    }
    return forms
  }
}

const isObjectForm = ({ properties, additionalProperties }: Fields): boolean =>
  properties !== undefined || additionalProperties !== undefined

const hasMembers = (schema: Fields): boolean =>
  isObjectForm(schema) || schema.items !== undefined || schema.prefixItems !== undefined

const listOf = (schema: unknown): unknown[] => (isObject(schema) ? [schema] : [])
