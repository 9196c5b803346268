/** The table of a fuzz run: a row for each target. */
import type { TargetResult } from './fuzz.ts'
import { memoryGrowth } from './memory-growth.ts'

const HEAD = ['target', 'messages', 'per second', 'slowest case', 'crashes', 'hangs', 'wrong', 'memory']

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

function row({ target, stats, failures }: TargetResult): string[] {
  const count = (what: string): string => String(failures.filter((failure) => failure.what === what).length)
  if (stats === undefined) return [target, '-', '-', '-', count('crash'), count('hang'), count('wrong'), '-']
  const { messages, seconds, slowestMs, memory } = stats
  const growth = memoryGrowth(memory)
  return [
    target,
    messages.toLocaleString('en'),
    Math.round(messages / seconds).toLocaleString('en'),
    `${slowestMs.toFixed(0)} ms`,
    count('crash'),
    count('hang'),
    count('wrong'),
    `${megabytes(memory.at(-1) ?? 0)} MiB (${growth.isLeak ? 'grows by' : 'flat,'} ${growth.bytes < 0 ? '' : '+'}${(growth.bytes / 2 ** 20).toFixed(1)})`,
  ]
}

export function fuzzTable(results: readonly TargetResult[]): string {
  const rows = [HEAD, ...results.map(row)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)))
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
