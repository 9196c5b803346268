/** The inputs of a tool, from its input schema: every property of the arguments, with its meaning and its JSON type. */
import { KIND } from '../../../schema/json-schema/kinds.ts'
import type { SchemaNode } from '../../../spec/schema-view.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { isGenericName, normalizedName, qualifiedNames, toolSubjects } from '../names.ts'
import type { Need } from '../types.ts'
import { shapeOf } from './schema-shape.ts'

/** Arguments are seldom nested more than twice. */
const MAX_DEPTH = 4

export function needsOf(tool: ToolView): Need[] {
  return inside(tool.input, tool.input, [], toolSubjects(tool.name))
}

function inside(node: SchemaNode, root: SchemaNode, path: readonly string[], owners: readonly string[]): Need[] {
  const { properties, required } = shapeOf(node, root)
  // A property that is only listed as required is needed all the same.
  const names = new Set([...properties.keys(), ...required])
  return [...names].map((name) => needOf(properties.get(name) ?? {}, root, [...path, name], required.has(name), owners))
}

export function needOf(
  node: SchemaNode,
  root: SchemaNode,
  path: readonly string[],
  required: boolean,
  owners: readonly string[],
): Need {
  const { typeId, jsonTypes, items, values, defaultValue, isMoney, isSpent, description } = shapeOf(node, root)
  const property = path.at(-1) ?? ''
  const own = normalizedName(property)
  const { typeId: itemType, jsonTypes: itemTypes } = shapeOf(items ?? {}, root)
  const takesParts = (jsonTypes & KIND.OBJECT) !== 0 && typeId === undefined && path.length < MAX_DEPTH
  return {
    path,
    property,
    typeId,
    // At the top, the tool's subject is added only to a name that says nothing; further down, the owner is certain.
    names: path.length > 1 || isGenericName(own) ? qualifiedNames(property, owners) : [own],
    required,
    jsonTypes,
    item: (jsonTypes & KIND.ARRAY) === 0 ? undefined : { typeId: itemType, names: [own], jsonTypes: itemTypes },
    values,
    defaultValue,
    isMoney,
    isSpent,
    description,
    schema: node,
    rootSchema: root,
    parts: takesParts ? inside(node, root, path, [own]) : [],
  }
}
