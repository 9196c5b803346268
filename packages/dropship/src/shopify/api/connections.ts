/** Reads Shopify's connections page by page, as far as the caller iterates and never without an end. */
import { ToolError } from 'myrmex'
import type { AdminApi } from './admin-api.ts'

export interface ConnectionPage<Node> {
  readonly edges: readonly Edge<Node>[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

export interface Edge<Node> {
  readonly cursor: string
  readonly node: Node
}

export interface ListOptions {
  readonly query?: string | undefined
  readonly after?: string | undefined
  /** how many are wanted; a page is never larger than the reader's own size */
  readonly first?: number | undefined
  readonly reverse?: boolean
}

/** Longer lists do not belong in memory. */
const MAX_RECORDS = 25_000

/** Reads the connection `field` of `document`, which takes $first, $after and $query. */
export const connectionReader = <Node>(field: string, document: string, pageSize: number) =>
  async function* (admin: AdminApi, options: ListOptions = {}): AsyncGenerator<Edge<Node>> {
    const { query = null, first = pageSize, reverse } = options
    let { after = null } = options as { after?: string | null }
    for (let count = 0; count < MAX_RECORDS; ) {
      const variables = { first: Math.min(first, pageSize), after, query, ...(reverse !== undefined && { reverse }) }
      const data = await admin.read<Readonly<Record<string, ConnectionPage<Node>>>>(document, variables)
      const { edges, pageInfo } = data[field] as ConnectionPage<Node>
      yield* edges
      count += edges.length
      if (!pageInfo.hasNextPage || pageInfo.endCursor === null || edges.length === 0) return
      after = pageInfo.endCursor
    }
    throw new ToolError('ToolExecutionError', `Shopify has more than ${MAX_RECORDS} of these records. Ask for fewer.`)
  }

/** A term of Shopify's search. The value may come from outside, so it is quoted. */
export const searchTerm = (field: string, value: string, comparator = ''): string =>
  `${field}:${comparator}"${value.replaceAll(/[\\"]/g, (found) => `\\${found}`)}"`
