/** Markdown blocks: tables and fenced JSON. */
import { readableJson } from '../../tool/text/readable-json.ts'

/** A GitHub table. Cells must be escaped already. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Three backticks are always enough, because no line of JSON begins with one. */
export const jsonBlock = (value: unknown): string => `\`\`\`json\n${readableJson(value)}\n\`\`\``
