/** Connections as Shopify answers them: `first` of what comes `after` a cursor that means nothing to the caller. */
export interface Paged {
  first?: number
  after?: string
}

/** Shopify's own limit on a page. */
const MOST = 250

export interface Connection<Node> {
  nodes: Node[]
  edges: { cursor: string; node: Node }[]
  pageInfo: { endCursor: string | null; startCursor: string | null; hasNextPage: boolean; hasPreviousPage: boolean }
}

export function connection<Record extends { id: string }, Node>(
  records: readonly Record[],
  { first, after }: Paged,
  view: (record: Record) => Node,
): Connection<Node> {
  if (first === undefined || first === null) throw new Error('you must provide one of first or last')
  if (first > MOST) throw new Error(`first cannot exceed ${MOST}`)
  let start = 0
  if (after !== undefined && after !== null) {
    const id = Buffer.from(after, 'base64').toString('utf8')
    start = records.findIndex((record) => record.id === id) + 1
    if (start === 0) throw new Error('Invalid cursor for current pagination sort.')
  }
  const page = records.slice(start, start + first)
  const edges = page.map((record) => ({ cursor: cursorOf(record.id), node: view(record) }))
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasNextPage: start + first < records.length,
      hasPreviousPage: start > 0,
    },
  }
}

const cursorOf = (id: string): string => Buffer.from(id, 'utf8').toString('base64')
