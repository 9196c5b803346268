/**
 * Pages of records that start after a given record. The ports page by record id and Shopify by cursor, so the cursors of seen
 * records are remembered. Where the cursor is not known, the list is read from its start until the record appears.
 */
import type { Edge, ListOptions } from './connections.ts'

const MAX_REMEMBERED = 5000

export class Cursors {
  readonly #cursors = new Map<string, string>()

  /** `list` names the list, since a record has another cursor in each. `toRecord` returns undefined for a record to skip. */
  async page<Node, T>(
    list: string,
    { after, limit = Number.POSITIVE_INFINITY }: { readonly after?: string; readonly limit?: number },
    read: (options: ListOptions) => AsyncIterable<Edge<Node>>,
    toRecord: (node: Node) => Promise<{ readonly id: string; readonly record: T | undefined }>,
  ): Promise<T[]> {
    const found: T[] = []
    if (limit <= 0) return found
    const start = after === undefined ? undefined : this.#cursors.get(`${list} ${after}`)
    let isPast = after === undefined || start !== undefined
    const first = Number.isFinite(limit) ? limit : undefined
    for await (const { cursor, node } of read({ after: start, first })) {
      const { id, record } = await toRecord(node)
      this.#remember(`${list} ${id}`, cursor)
      if (isPast && record !== undefined) found.push(record)
      if (id === after) isPast = true
      if (found.length >= limit) break
    }
    return found
  }

  #remember(name: string, cursor: string): void {
    if (this.#cursors.size >= MAX_REMEMBERED) this.#cursors.clear()
    this.#cursors.set(name, cursor)
  }
}
