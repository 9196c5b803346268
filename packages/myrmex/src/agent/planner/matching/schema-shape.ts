/** What a schema says of a value, with references followed and its branches read together. */
import { isObject, resolveRef } from '../../../protocol/json.ts'
import type { SchemaNode } from '../../../spec/schema-view.ts'

const BITS: Readonly<Record<string, number>> = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 4 | 8,
  string: 16,
  array: 32,
  object: 64,
}
export const JSON_ANY = 127
export const JSON_NULL = 1
export const JSON_NUMBER = 4 | 8
export const JSON_STRING = 16
export const JSON_ARRAY = 32
export const JSON_OBJECT = 64

export interface SchemaShape {
  jsonTypes: number
  typeId: string | undefined
  readonly properties: Map<string, SchemaNode>
  readonly required: Set<string>
  items: SchemaNode | undefined
  values: readonly unknown[] | undefined
  defaultValue: unknown
  isMoney: boolean
  title: string | undefined
  description: string | undefined
}

/** References and branches deeper than this are left unread: a definition may contain itself. */
const DEEPEST = 12

export function shapeOf(node: unknown, root: SchemaNode, depth = 0): SchemaShape {
  const shape: SchemaShape = {
    jsonTypes: JSON_ANY,
    typeId: undefined,
    properties: new Map(),
    required: new Set(),
    items: undefined,
    values: undefined,
    defaultValue: undefined,
    isMoney: false,
    title: undefined,
    description: undefined,
  }
  if (!isObject(node) || depth > DEEPEST) return shape
  readOwn(node, shape)
  if (typeof node.$ref === 'string') also(shape, shapeOf(resolveRef(root, node.$ref), root, depth + 1))
  for (const part of listed(node.allOf)) also(shape, shapeOf(part, root, depth + 1))
  for (const branches of [listed(node.anyOf), listed(node.oneOf)]) {
    if (branches.length > 0) also(shape, oneOf(branches.map((branch) => shapeOf(branch, root, depth + 1))))
  }
  return shape
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function readOwn(node: SchemaNode, shape: SchemaShape): void {
  const { type } = node
  if (typeof type === 'string') shape.jsonTypes = BITS[type] ?? JSON_ANY
  else if (Array.isArray(type)) shape.jsonTypes = type.reduce((bits: number, one) => bits | (BITS[String(one)] ?? 0), 0)
  if ('const' in node) shape.values = [node.const]
  else if (Array.isArray(node.enum)) shape.values = node.enum
  if (shape.values !== undefined)
    shape.jsonTypes &= shape.values.reduce((bits: number, one) => bits | jsonTypeOf(one), 0)
  if (isObject(node.properties)) {
    for (const [name, child] of Object.entries(node.properties))
      shape.properties.set(name, isObject(child) ? child : {})
    if (type === undefined) shape.jsonTypes &= JSON_OBJECT
  }
  for (const name of listed(node.required)) if (typeof name === 'string') shape.required.add(name)
  if (isObject(node.items)) {
    shape.items = node.items
    if (type === undefined) shape.jsonTypes &= JSON_ARRAY
  }
  shape.typeId = text(node.type_id)
  shape.defaultValue = node.default
  shape.isMoney = node['x-cost'] === true
  shape.title = text(node.title)
  shape.description = text(node.description)
}

/** Both hold. What the outer one says itself goes before what it refers to. */
function also(shape: SchemaShape, other: SchemaShape): void {
  shape.jsonTypes &= other.jsonTypes
  shape.typeId ??= other.typeId
  for (const [name, child] of other.properties) if (!shape.properties.has(name)) shape.properties.set(name, child)
  for (const name of other.required) shape.required.add(name)
  shape.items ??= other.items
  shape.values ??= other.values
  shape.defaultValue ??= other.defaultValue
  shape.isMoney ||= other.isMoney
  shape.title ??= other.title
  shape.description ??= other.description
}

/** One of them holds. A meaning that only some of them have is not the meaning of the whole. */
function oneOf(shapes: readonly SchemaShape[]): SchemaShape {
  const solid = shapes.filter((shape) => shape.jsonTypes !== JSON_NULL)
  const [first] = solid.length > 0 ? solid : shapes
  const whole = { ...(first ?? shapeOf({}, {})), properties: new Map<string, SchemaNode>() }
  whole.jsonTypes = shapes.reduce((bits, shape) => bits | shape.jsonTypes, 0)
  if (!solid.every((shape) => shape.typeId === first?.typeId)) whole.typeId = undefined
  const required = solid.map((shape) => shape.required)
  for (const shape of solid) {
    for (const [name, child] of shape.properties) if (!whole.properties.has(name)) whole.properties.set(name, child)
  }
  const everywhere = new Set([...(required[0] ?? [])].filter((name) => required.every((names) => names.has(name))))
  const values = solid.every((shape) => shape.values !== undefined)
    ? solid.flatMap((shape) => shape.values ?? [])
    : undefined
  return { ...whole, required: everywhere, values, isMoney: solid.some((shape) => shape.isMoney) }
}

export function jsonTypeOf(value: unknown): number {
  if (value === null) return JSON_NULL
  if (Array.isArray(value)) return JSON_ARRAY
  if (typeof value === 'number') return Number.isInteger(value) ? 4 : 8
  return BITS[typeof value] ?? 0
}

/** `string`, `number or null`: for people. */
export function jsonTypesInWords(bits: number): string {
  if (bits === JSON_ANY) return 'anything'
  const words: string[] = []
  for (const name of ['string', 'boolean', 'array', 'object', 'null'])
    if ((bits & (BITS[name] ?? 0)) !== 0) words.push(name)
  if ((bits & JSON_NUMBER) !== 0) words.unshift((bits & 8) === 0 ? 'whole number' : 'number')
  return words.join(' or ').replace('array', 'list')
}
