/** The object schema of the parameters or fields of a document. A name may be a path, such as `config.timeout` or `lines[].sku`. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { DocumentField } from '../document.ts'
import { withDetails } from './field-details.ts'
import { schemaOfType } from './type-schema.ts'

/** A field whose type is not understood. */
export interface UnknownType {
  readonly field: DocumentField
  readonly type: string
}

export interface FieldsSchema {
  readonly schema: JsonObject
  readonly unknown: readonly UnknownType[]
}

export function schemaOfFields(fields: readonly DocumentField[]): FieldsSchema {
  const unknown: UnknownType[] = []
  const root = objectSchema()
  for (const field of fields) place(root, field, unknown)
  return { schema: plain(root), unknown }
}

/** Grows while fields are added, because the fields of an object can be anywhere in a table. */
interface Growing {
  own: JsonObject
  readonly properties: Map<string, Growing>
  readonly required: Set<string>
  items: Growing | undefined
}

const growing = (own: JsonObject): Growing => ({ own, properties: new Map(), required: new Set(), items: undefined })
const objectSchema = (): Growing => growing({ type: 'object' })

const MAX_STEPS = 20

function place(root: Growing, field: DocumentField, unknown: UnknownType[]): void {
  const steps = field.name.replaceAll('[]', '.[]').split('.').slice(0, MAX_STEPS)
  let parent = root
  for (const step of steps.slice(0, -1)) parent = inside(parent, step)
  const name = steps.at(-1) as string
  const target = inside(parent, name)
  target.own = { ...schemaFor(field, unknown), ...(target.own.type === 'array' && { type: 'array' }) }
  if (field.required === true && name !== '[]') owner(parent).required.add(name)
  for (const nested of field.fields) place(owner(target), nested, unknown)
}

/** What the fields inside of a value belong to: the elements of an array, or the value itself. */
function owner(target: Growing): Growing {
  if (target.own.type !== 'array' && target.items === undefined) return target
  target.items ??= objectSchema()
  return target.items
}

function inside(parent: Growing, step: string): Growing {
  if (step === '[]') {
    parent.own = { ...parent.own, type: 'array' }
    return owner(parent)
  }
  const { properties } = owner(parent)
  const found = properties.get(step) ?? objectSchema()
  properties.set(step, found)
  return found
}

function schemaFor(field: DocumentField, unknown: UnknownType[]): JsonObject {
  const { type, description } = field
  const found = type === undefined ? {} : schemaOfType(type)
  if (found === undefined) unknown.push({ field, type: type as string })
  const words = found === undefined ? `${description} (${type})`.trim() : description
  return { ...withDetails(found ?? {}, field), ...(words !== '' && { description: words }) }
}

/** `type` comes first, then the rest, as people write schemas. */
function plain({ own, properties, required, items }: Growing): JsonObject {
  const schema: JsonObject = { ...own }
  if (properties.size > 0) {
    const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
    if (!types.includes('object')) schema.type = 'object'
    // `dict[str, string]` beside its fields: they are what counts.
    delete schema.additionalProperties
    schema.properties = Object.fromEntries([...properties].map(([name, property]) => [name, plain(property)]))
    if (required.size > 0) schema.required = [...required]
  }
  if (items !== undefined && (items.properties.size > 0 || !isObject(schema.items))) schema.items = plain(items)
  const { type, ...rest } = schema
  return type === undefined ? rest : { type, ...rest }
}
