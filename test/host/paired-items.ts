/**
 * Pairs what a server lists with what the host lists for it, without assuming how the host names things: items that say the same are the
 * same item. So a rule of names that changes does not hide a definition that changed.
 */
import canonicalize from 'canonicalize'
import type { Connection } from './clients/connection.ts'
import { type ListedItem, listItems } from './listed-names.ts'
import { normaliseResult, withoutFailureSchema, withoutHostFields } from './normalise.ts'

export interface PairedItem {
  /** what the server calls it, and what the host does */
  readonly own: string
  readonly hosted: string
}

export interface Listed {
  readonly key: string
  readonly item: ListedItem
}

const KEYS = {
  'tools/list': { list: 'tools', id: 'name' },
  'resources/list': { list: 'resources', id: 'uri' },
  'resources/templates/list': { list: 'resourceTemplates', id: 'uriTemplate' },
  'prompts/list': { list: 'prompts', id: 'name' },
} as const
export type ListMethod = keyof typeof KEYS
export const LIST_METHODS = Object.keys(KEYS) as ListMethod[]

/** Everything but its name, or its URI. */
export async function listDefinitions(connection: Connection, method: ListMethod, folder: string): Promise<Listed[]> {
  const capability = method.slice(0, method.indexOf('/'))
  if (connection.server.capabilities[capability] === undefined) return []
  const { list, id } = KEYS[method]
  const items = await listItems(connection, method, list).catch((error: { code?: number }) => {
    // Some servers have resources and know nothing of templates.
    if (error.code === -32601) return []
    throw error
  })
  return items.map((item) => {
    const plain = normaliseResult(withoutHostFields(withoutFailureSchema(item)), folder) as ListedItem
    const { [id]: _, outputSchema, ...rest } = plain
    return { key: String(item[id]), item: { ...rest, ...outputOf(outputSchema) } as unknown as ListedItem }
  })
}

/** The host allows its failures beside what the server promises, and says once for both which dialect that is. */
function outputOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (typeof schema !== 'object' || schema === null) return {}
  const { $schema: _, ...rest } = schema as Readonly<Record<string, unknown>>
  return { outputSchema: rest }
}

const text = ({ item }: Listed): string => String(canonicalize(item))

/** Those of the host that belong to the server, and each with its partner. */
export function pairItems(direct: readonly Listed[], hosted: readonly Listed[]): readonly PairedItem[] {
  const left = new Map<string, Listed[]>()
  for (const one of hosted) left.set(text(one), [...(left.get(text(one)) ?? []), one])
  return direct.flatMap((one) => {
    const found = left.get(text(one)) ?? []
    // Of several that say the same, the one with the most alike name.
    found.sort((a, b) => likeness(b.key, one.key) - likeness(a.key, one.key))
    const partner = found.shift()
    return partner === undefined ? [] : [{ own: one.key, hosted: partner.key }]
  })
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const likeness = (hosted: string, own: string): number => (plain(hosted).endsWith(plain(own)) ? 1 : 0)
