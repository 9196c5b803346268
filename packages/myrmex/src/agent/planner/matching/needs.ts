/** What a tool needs, read from its input schema: every property of the arguments, with its meaning and its JSON type. */
import { isObject } from '../../../protocol/json.ts'
import type { SchemaNode } from '../../../spec/schema-view.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { isGenericName, normalizedName, qualifiedNames, toolSubjects } from '../names.ts'
import type { Need } from '../types.ts'
import { JSON_ARRAY, JSON_OBJECT, shapeOf } from './schema-shape.ts'

/** Arguments are seldom nested more than twice. */
const DEEPEST = 4

export function needsOf(tool: ToolView): Need[] {
  return inside(tool.input, tool.input, [], toolSubjects(tool.name))
}

function inside(node: unknown, root: SchemaNode, path: readonly string[], owners: readonly string[]): Need[] {
  const { properties, required } = shapeOf(node, root)
  const needs: Need[] = []
  for (const [property, child] of properties) {
    needs.push(needOf(child, root, [...path, property], required.has(property), owners))
  }
  // A property that is only listed as required is needed all the same.
  for (const property of required) {
    if (!properties.has(property)) needs.push(needOf({}, root, [...path, property], true, owners))
  }
  return needs
}

function needOf(
  node: SchemaNode,
  root: SchemaNode,
  path: readonly string[],
  required: boolean,
  owners: readonly string[],
): Need {
  const shape = shapeOf(node, root)
  const property = path.at(-1) ?? ''
  const own = normalizedName(property)
  // What belongs to the tool's subject goes by that only where its own name says nothing; below it, its owner is certain.
  const names = path.length > 1 || isGenericName(own) ? qualifiedNames(property, owners) : [own]
  const takesParts = (shape.jsonTypes & JSON_OBJECT) !== 0 && shape.typeId === undefined && path.length < DEEPEST
  return {
    path,
    property,
    typeId: shape.typeId,
    names,
    required,
    jsonTypes: shape.jsonTypes,
    item: (shape.jsonTypes & JSON_ARRAY) === 0 ? undefined : itemOf(shape.items, root, own),
    values: shape.values,
    defaultValue: shape.defaultValue,
    isMoney: shape.isMoney,
    description: shape.description,
    schema: node,
    rootSchema: root,
    parts: takesParts && isObject(node) ? inside(node, root, path, [own]) : [],
  }
}

function itemOf(items: SchemaNode | undefined, root: SchemaNode, own: string): Need['item'] {
  const shape = shapeOf(items ?? {}, root)
  return { typeId: shape.typeId, names: [own], json: shape.jsonTypes }
}
