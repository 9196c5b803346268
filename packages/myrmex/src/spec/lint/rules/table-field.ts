/** Finds the field that a table row is about, by the name that the renderer writes or by a path as people write it. */
import { isObject } from '../../../protocol/json.ts'
import { resolveSchema, type SchemaNode } from '../../schema-view.ts'

export interface TableField {
  readonly schema: SchemaNode
  /** undefined if it depends on the value */
  readonly required: boolean | undefined
}

/** `unknown` if the schema does not tell whether there is such a field. */
export function findField(name: string, root: SchemaNode): TableField | 'none' | 'unknown' {
  let here = partsOf(root, root)
  let found: TableField | 'none' | 'unknown' = 'none'
  for (const step of stepsIn(name, here)) {
    found = step === '[]' ? elementsOf(here, root) : childOf(here, step, root)
    if (found === 'none' || found === 'unknown') return found
    here = partsOf(found.schema, root)
  }
  return found
}

/** `lines[0].sku` and `lines[].sku` are the same path. A declared name is never a path. */
function stepsIn(name: string, here: readonly SchemaNode[]): string[] {
  if (here.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name))) return [name]
  return name
    .replaceAll(/\[(?:\*|\d*|[a-z])\]/gi, '.[]')
    .split('.')
    .filter((step) => step !== '')
}

const MAX_PARTS = 100

/** The schemas that apply to the same value, the outermost first. */
function partsOf(node: unknown, root: SchemaNode): SchemaNode[] {
  const parts: SchemaNode[] = []
  const waiting: unknown[] = [node]
  for (let next = waiting.shift(); next !== undefined && parts.length < MAX_PARTS; next = waiting.shift()) {
    if (!isObject(next)) continue
    const here = resolveSchema(next, root)
    parts.push(here)
    waiting.push(...[here.allOf, here.anyOf, here.oneOf].filter(Array.isArray).flat().slice(0, MAX_PARTS))
  }
  return parts
}

function childOf(parts: readonly SchemaNode[], name: string, root: SchemaNode): TableField | 'none' | 'unknown' {
  const declaring = parts.filter(({ properties }) => isObject(properties) && Object.hasOwn(properties, name))
  const [first] = declaring
  if (first === undefined) return isOpen(parts, name) ? 'unknown' : 'none'
  const requiring = parts.filter((part) => Array.isArray(part.required) && part.required.includes(name))
  // One part of several may require the field for some values only.
  const required = requiring.length === 0 ? false : requiring[0] === parts[0] ? true : undefined
  return { schema: resolveSchema((first.properties as Record<string, unknown>)[name], root), required }
}

/** Undeclared names may be allowed, and a table may list them. */
function isOpen(parts: readonly SchemaNode[], name: string): boolean {
  if (parts.some((part) => typeof part.$ref === 'string' || isObject(part.patternProperties))) return true
  return /^[<{*[]/.test(name) && parts.some((part) => isObject(part.additionalProperties))
}

function elementsOf(parts: readonly SchemaNode[], root: SchemaNode): TableField | 'none' | 'unknown' {
  const items = parts.map((part) => part.items).find(isObject)
  if (items !== undefined) return { schema: resolveSchema(items, root), required: undefined }
  return parts.some((part) => Array.isArray(part.prefixItems) || typeof part.$ref === 'string') ? 'unknown' : 'none'
}
