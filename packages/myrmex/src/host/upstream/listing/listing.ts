/** What an upstream lists, unchanged. None of it is trusted: an item needs a key, and its size and depth are limited. */
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import type { NegotiatedPeer } from '../../link/link.ts'
import { definitionChanged } from '../upstream-errors.ts'

export type ListPart = 'tools' | 'resources' | 'templates' | 'prompts'

export type Listing = Omit<NegotiatedPeer, 'version'> &
  Readonly<Record<ListPart, readonly JsonObject[]>> & {
    /** lists that the server refused to give, and of which nothing is known from before */
    readonly refused?: readonly ListPart[]
    /** the pages of its apps, without their texts (apps/app-page.ts) */
    readonly pages?: readonly JsonObject[]
  }

export interface ListPartInfo {
  readonly method: string
  /** the field of the answer that holds the items */
  readonly field: string
  /** the field that identifies an item */
  readonly key: string
  /** maximum number of items */
  readonly max: number
}

export const LIST_PARTS: Readonly<Record<ListPart, ListPartInfo>> = {
  tools: { method: 'tools/list', field: 'tools', key: 'name', max: 2000 },
  resources: { method: 'resources/list', field: 'resources', key: 'uri', max: 10_000 },
  templates: { method: 'resources/templates/list', field: 'resourceTemplates', key: 'uriTemplate', max: 2000 },
  prompts: { method: 'prompts/list', field: 'prompts', key: 'name', max: 2000 },
}

/** in characters of JSON */
const MAX_DEFINITION = 256 * 1024
const MAX_KEY = 4096
const MAX_DEPTH = 100

/** Returns why the item is unusable, or its length as JSON. */
export function checkItem(item: unknown, { method, key }: ListPartInfo): string | number {
  if (!isObject(item)) return 'not an object'
  const name = item[key]
  if (typeof name !== 'string' || name === '') return `${key} is missing`
  if (name.length > MAX_KEY) return `${key} has ${name.length} characters; the limit is ${MAX_KEY}`
  if (method === 'tools/list' && !isObject(item.inputSchema)) return 'inputSchema is missing'
  if (isDeeper(item, MAX_DEPTH)) return `nested more than ${MAX_DEPTH} levels deep`
  const { length } = JSON.stringify(item)
  if (length > MAX_DEFINITION) return `the definition has ${length} characters; the limit is ${MAX_DEFINITION}`
  return length
}

/** Schemas are processed recursively, so their depth is limited. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** The listed definition of a tool as JSON; undefined if it is not listed. */
export function listedTool(listing: Listing | undefined, name: unknown): string | undefined {
  const found = listing?.tools.find((tool) => tool.name === name)
  return found === undefined ? undefined : JSON.stringify(found)
}

/** A call that was checked against another definition does not run with this one. `asked`: what was listed then, if anything was. */
export function assertSameTool(
  { name, listing }: { readonly name: string; readonly listing: Listing | undefined },
  asked: string | undefined,
  tool: unknown,
): void {
  if (asked !== undefined && listedTool(listing, tool) !== asked) throw definitionChanged(name, tool)
}
