/** One thing that an upstream lists, looked at before anybody else sees it: whether it can be named, asked for and held. */
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import type { Listing } from './listing.ts'

export type ListPart = 'tools' | 'resources' | 'templates' | 'prompts'

interface PartOf {
  readonly part: ListPart
  /** the capability that says it has any */
  readonly capability: 'tools' | 'resources' | 'prompts'
  readonly method: string
  /** where they are in the answer */
  readonly field: string
  /** what tells one from another */
  readonly key: string
  /** more than anybody has use for, and few enough to look at each */
  readonly most: number
}

export const LIST_PARTS: readonly PartOf[] = [
  { part: 'tools', capability: 'tools', method: 'tools/list', field: 'tools', key: 'name', most: 2000 },
  {
    part: 'resources',
    capability: 'resources',
    method: 'resources/list',
    field: 'resources',
    key: 'uri',
    most: 10_000,
  },
  {
    part: 'templates',
    capability: 'resources',
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    key: 'uriTemplate',
    most: 2000,
  },
  { part: 'prompts', capability: 'prompts', method: 'prompts/list', field: 'prompts', key: 'name', most: 2000 },
]

/** characters of JSON */
const LONGEST_DEFINITION = 256 * 1024
const LONGEST_KEY = 4096
const DEEPEST = 100

/** Why it cannot be used, or its length as JSON. */
export function checkItem(item: unknown, { part, key }: PartOf): string | number {
  if (!isObject(item)) return 'it is no object'
  const name = item[key]
  if (typeof name !== 'string' || name === '') return `it has no ${key}`
  if (name.length > LONGEST_KEY) return `its ${key} has ${name.length} characters; at most ${LONGEST_KEY} are read`
  if (part === 'tools' && !isObject(item.inputSchema)) return 'it has no inputSchema'
  if (isDeeper(item, DEEPEST)) return `it is nested more than ${DEEPEST} levels deep`
  const { length } = JSON.stringify(item)
  if (length > LONGEST_DEFINITION)
    return `its definition has ${length} characters; at most ${LONGEST_DEFINITION} are read`
  return length
}

/** Schemas are walked by functions that call themselves. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

export const itemKey = (item: JsonObject, { key }: PartOf): string => item[key] as string

/** The definition of a tool as it was listed, or undefined. */
export function listedTool(listing: Listing | undefined, name: unknown): string | undefined {
  const found = listing?.tools.find((tool) => tool.name === name)
  return found === undefined ? undefined : JSON.stringify(found)
}
