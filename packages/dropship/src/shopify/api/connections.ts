/** Through the pages of a connection, as far as somebody reads and never without an end. */
import { ToolError } from 'myrmex'
import type { AdminApi, Variables } from './admin-api.ts'

export interface ConnectionPage<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** More than this is nobody's page and no list to hold in memory. */
export const MOST_RECORDS = 25_000

/** `document` takes $first and $after; `pick` finds the connection in its data. */
export async function* readConnection<Data, Node>(
  admin: AdminApi,
  document: string,
  variables: Variables & { readonly first: number; readonly after?: string | undefined },
  pick: (data: Data) => ConnectionPage<Node>,
): AsyncGenerator<{ readonly cursor: string; readonly node: Node }> {
  let { after } = variables
  for (let seen = 0; seen < MOST_RECORDS; ) {
    const { edges, pageInfo } = pick(await admin.read<Data>(document, { ...variables, after: after ?? null }))
    yield* edges
    seen += edges.length
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null || edges.length === 0) return
    after = pageInfo.endCursor
  }
  throw new ToolError('ToolExecutionError', `Shopify has more than ${MOST_RECORDS} records of this. Ask for fewer.`)
}

/** A term of Shopify's search. What it is looked for by comes from outside, so it is quoted. */
export const searchTerm = (field: string, value: string, comparator = ''): string =>
  `${field}:${comparator}"${value.replaceAll(/[\\"]/g, (found) => `\\${found}`)}"`
