/** A schema as the planner sees it: references followed, and its alternatives (plan/check/alternatives.ts) merged into one. */
import { isObject } from '../../../protocol/json.ts'
import { KIND, kindsInWords } from '../../../schema/json-schema/kinds.ts'
import type { SchemaNode } from '../../../spec/schema-view.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { type Alternative, type AnalysedSchema, analyseSchema, requiredNames } from '../../plan/check/alternatives.ts'

export interface SchemaShape {
  readonly jsonTypes: number
  readonly typeId: string | undefined
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly required: ReadonlySet<string>
  readonly items: SchemaNode | undefined
  readonly values: readonly unknown[] | undefined
  readonly defaultValue: unknown
  /** its value is money that the call may spend */
  readonly isMoney: boolean
  /** the call may spend its value or a multiple of it, such as an amount for each day */
  readonly isSpent: boolean
  readonly title: string | undefined
  readonly description: string | undefined
}

/** Schemas come as plain JSON; the type of a node that was taken out of one only forgot it. */
export const analysed = (root: SchemaNode): AnalysedSchema => analyseSchema(root as ToolView['input'])

export function shapeOf(node: unknown, root: SchemaNode): SchemaShape {
  const all = analysed(root).alternativesOf(node)
  const notNull = all.filter(({ kinds }) => kinds !== KIND.NULL)
  const merged = notNull.length > 0 ? notNull : all
  const parts = merged.flatMap((one) => one.parts)
  const firstText = (keyword: string): string | undefined =>
    parts.map((part) => part[keyword]).find((value) => typeof value === 'string')
  const [typeId] = merged[0]?.ids ?? []
  const required = merged.map((one) => requiredNames(one.parts))
  return {
    jsonTypes: all.reduce((kinds, one) => kinds | kindsOf(one), 0),
    // A meaning that only some alternatives have is not the meaning of the whole.
    typeId: merged.every(({ ids }) => ids[0] === typeId) ? typeId : undefined,
    properties: propertiesIn(parts),
    required: required.reduce((names, more) => names.intersection(more), required[0] ?? new Set()),
    items: parts.map(({ items }) => items).find(isObject),
    values: merged.every(({ values }) => values !== undefined)
      ? merged.flatMap(({ values }) => values ?? [])
      : undefined,
    defaultValue: parts.map((part) => part.default).find((value) => value !== undefined && value !== null),
    isMoney: parts.some((part) => part['x-cost'] === true),
    isSpent: parts.some((part) => part['x-cost'] !== undefined),
    title: firstText('title'),
    description: firstText('description'),
  }
}

/** A schema that describes properties or items but names no type means objects or lists. */
const kindsOf = ({ kinds, parts }: Alternative): number =>
  parts
    .filter(({ type }) => type === undefined)
    .reduce((left, { properties, items }) => {
      const objects = isObject(properties) ? left & KIND.OBJECT : left
      return isObject(items) ? objects & KIND.ARRAY : objects
    }, kinds)

/** The first alternative that describes a property counts. */
function propertiesIn(parts: readonly SchemaNode[]): Map<string, SchemaNode> {
  const found = new Map<string, SchemaNode>()
  for (const { properties } of parts) {
    for (const [name, child] of Object.entries(isObject(properties) ? properties : {}))
      if (!found.has(name)) found.set(name, isObject(child) ? child : {})
  }
  return found
}

/** `string`, `whole number or null`: for people. */
export const jsonTypesInWords = (kinds: number): string =>
  kindsInWords(kinds)
    .replace(/^null or (.*)$/, '$1 or null')
    .replace('integer', 'whole number')
    .replace('array', 'list')
