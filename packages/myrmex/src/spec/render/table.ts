/** A table as GitHub shows it. Cells come escaped; an empty one stays one. */

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}
