/**
 * What a schema requires of a value of one JSON type, as a formula: atoms and schemas for parts of the value, joined by and/or.
 * There is no `not`: every atom has its opposite, and a schema must either accept or reject.
 */
import type { Json } from '../../../protocol/json.ts'
import type { NamedKeys } from '../../json-schema/evaluated-properties.ts'
import type { InternedSchema, Literal } from './interned-schema.ts'

export const TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const
export type Type = (typeof TYPES)[number]

export function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as Type
}

/** properties, patternProperties and additionalProperties of one schema */
export interface MemberRules {
  readonly is: 'members'
  readonly names: ReadonlyMap<string, InternedSchema>
  readonly patterns: readonly (readonly [string, InternedSchema])[]
  readonly rest?: InternedSchema | undefined
}

/** There is such a key, and its value meets the literal. */
export interface SomeMember {
  readonly is: 'some member'
  readonly matching?: string
  /** the key is none of these */
  readonly outside?: NamedKeys
  /** what the key itself must be */
  readonly key?: Literal
  readonly value: Literal
}

/** prefixItems and items of one schema */
export interface ItemRules {
  readonly is: 'items'
  readonly prefix: readonly InternedSchema[]
  readonly rest?: InternedSchema | undefined
}

export type Atom =
  | { readonly is: 'values'; readonly values: readonly Json[]; readonly holds: boolean }
  /** a rule that is not interpreted; it can only contradict its own opposite */
  | { readonly is: 'opaque'; readonly id: string; readonly why: string; readonly holds: boolean }
  | { readonly is: 'low' | 'high'; readonly bound: number; readonly open: boolean }
  | { readonly is: 'whole'; readonly holds: boolean }
  | { readonly is: 'multiple'; readonly of: number; readonly holds: boolean }
  | { readonly is: 'pattern'; readonly pattern: string; readonly holds: boolean }
  | { readonly is: 'format'; readonly format: string; readonly holds: boolean }
  /** length of a string, items of an array, members of an object */
  | { readonly is: 'least' | 'most'; readonly size: number }
  | { readonly is: 'unique'; readonly holds: boolean }
  | ItemRules
  /** there is an item at the index, and it meets the literal */
  | { readonly is: 'item'; readonly index: number; readonly item: Literal }
  /** some item at the index or after it meets the literal */
  | { readonly is: 'some item'; readonly from: number; readonly item: Literal }
  /** that many items are accepted by the node */
  | { readonly is: 'count'; readonly node: InternedSchema; readonly least: number; readonly most: number }
  | { readonly is: 'absent'; readonly key: string }
  /** the key exists, and its value meets the literal */
  | { readonly is: 'member'; readonly key: string; readonly value: Literal }
  | MemberRules
  | SomeMember
  | { readonly is: 'keys'; readonly node: InternedSchema }

export type Formula =
  | { readonly op: 'and'; readonly parts: readonly Formula[] }
  /** `told`: a choice of a schema that must accept; it is more specific than one of a schema that must reject */
  | { readonly op: 'or'; readonly parts: readonly Formula[]; readonly told: boolean }
  | { readonly op: 'literal'; readonly literal: Literal }
  | { readonly op: 'atom'; readonly atom: Atom }

export const all = (parts: readonly Formula[]): Formula =>
  parts.length === 1 ? (parts[0] as Formula) : { op: 'and', parts }
export const either = (parts: readonly Formula[], told = false): Formula =>
  parts.length === 1 ? (parts[0] as Formula) : { op: 'or', parts, told }
export const TRUE: Formula = all([])
export const FALSE: Formula = either([])
export const atom = (made: Atom): Formula => ({ op: 'atom', atom: made })
export const literalFormula = (node: InternedSchema, holds: boolean): Formula => ({
  op: 'literal',
  literal: { node, holds },
})
