/** Tables as texts. Descriptions keep their Markdown; other cells are reduced to words. */
import type { Table as TableNode } from 'mdast'
import type { Table } from '../../document.ts'
import { wordsOf } from '../../markdown/inline.ts'
import type { Lines } from '../../markdown/lines.ts'
import { locationOf } from '../../markdown/nodes.ts'
import { readInline } from '../../markdown/text.ts'

const PROSE = /descri|meaning|notes?$|remark|comment|detail|when|condition|cause|reason|explanation/i

export const isProseColumn = (column: string | undefined): boolean => PROSE.test(column ?? '')

export function readTable(node: TableNode, { text }: Lines): Table {
  const [head, ...rows] = node.children
  const columns = (head?.children ?? []).map(({ children }) => wordsOf(children).trim())
  return {
    location: locationOf(node),
    columns,
    rows: rows.map((row) => ({
      location: locationOf(row),
      cells: row.children.map(({ children }, index) =>
        isProseColumn(columns[index]) ? readInline(children, text) : wordsOf(children).trim(),
      ),
    })),
  }
}
