/** What the host calls the tools and prompts of a server, found by what it says of them: canonical name, server first. */
import type { Connection, Result } from './clients/connection.ts'

export interface ItemNames {
  /** by what the server calls it */
  readonly tool: (own: string) => string
  readonly prompt: (own: string) => string
}

export const OWN_NAMES: ItemNames = { tool: (own) => own, prompt: (own) => own }

export interface ListedItem extends Result {
  readonly name: string
  readonly _meta?: Result
}

/** get-sum in a name of ours */
export const normalisedName = (own: string): string => own.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** All pages. */
export async function listItems(connection: Connection, method: string, key: string): Promise<ListedItem[]> {
  const all: ListedItem[] = []
  for (let cursor: unknown, more = true; more; more = cursor !== undefined) {
    const page = await connection.ask(method, cursor === undefined ? {} : { cursor })
    all.push(...(page[key] as ListedItem[]))
    cursor = page.nextCursor
  }
  return all
}

const canonical = ({ name, _meta }: ListedItem): string => String(_meta?.['myrmex/name'] ?? name)

export async function hostedNames(connection: Connection, server: string): Promise<ItemNames> {
  const tools = await listItems(connection, 'tools/list', 'tools')
  const find = (own: string): string => {
    const found = tools.find((tool) => canonical(tool) === `${server}.${normalisedName(own)}`)
    if (found === undefined) throw new Error(`The host lists no tool ${own} of ${server}: ${tools.map(canonical)}`)
    return found.name
  }
  return { tool: find, prompt: (own) => own }
}
