/** The field of a schema that a row of a table is about: by the name the renderer gives it, or as people write paths. */
import { isObject } from '../../../protocol/json.ts'
import { resolveSchema, type SchemaNode } from '../../schema-view.ts'

export interface TableField {
  readonly schema: SchemaNode
  /** undefined: it depends, or nobody can say */
  readonly required: boolean | undefined
}

/** `unknown`: it cannot be said whether there is such a field. */
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

/** `lines[0].sku` and `lines[].sku` alike; a name that is declared as it stands is no path. */
function stepsIn(name: string, here: readonly SchemaNode[]): string[] {
  if (here.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name))) return [name]
  return name
    .replaceAll(/\[(?:\*|\d*|[a-z])\]/gi, '.[]')
    .split('.')
    .filter((step) => step !== '')
}

const MOST_PARTS = 100

/** The schemas that speak about the same value, the one that holds the others first. */
function partsOf(node: unknown, root: SchemaNode): SchemaNode[] {
  const parts: SchemaNode[] = []
  const waiting: unknown[] = [node]
  for (let next = waiting.shift(); next !== undefined && parts.length < MOST_PARTS; next = waiting.shift()) {
    if (!isObject(next)) continue
    const here = resolveSchema(next, root)
    parts.push(here)
    waiting.push(...[here.allOf, here.anyOf, here.oneOf].filter(Array.isArray).flat().slice(0, MOST_PARTS))
  }
  return parts
}

function childOf(parts: readonly SchemaNode[], name: string, root: SchemaNode): TableField | 'none' | 'unknown' {
  const declaring = parts.filter(({ properties }) => isObject(properties) && Object.hasOwn(properties, name))
  const [first] = declaring
  if (first === undefined) return isOpen(parts, name) ? 'unknown' : 'none'
  const requiring = parts.filter((part) => Array.isArray(part.required) && part.required.includes(name))
  // What one part of several asks for may hold for some values only.
  const required = requiring.length === 0 ? false : requiring[0] === parts[0] ? true : undefined
  return { schema: resolveSchema((first.properties as Record<string, unknown>)[name], root), required }
}

/** Names that are not declared may be there all the same, and a table may well tell of them. */
function isOpen(parts: readonly SchemaNode[], name: string): boolean {
  if (parts.some((part) => typeof part.$ref === 'string' || isObject(part.patternProperties))) return true
  return /^[<{*[]/.test(name) && parts.some((part) => isObject(part.additionalProperties))
}

function elementsOf(parts: readonly SchemaNode[], root: SchemaNode): TableField | 'none' | 'unknown' {
  const items = parts.map((part) => part.items).find(isObject)
  if (items !== undefined) return { schema: resolveSchema(items, root), required: undefined }
  return parts.some((part) => Array.isArray(part.prefixItems) || typeof part.$ref === 'string') ? 'unknown' : 'none'
}
