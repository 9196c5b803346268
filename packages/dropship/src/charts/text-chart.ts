/** Charts for a terminal from Unicode block characters: sparklines, and bars beside their labels. */
import { mean } from '../figures.ts'
import { plainLabel } from './label.ts'

const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** One character per value, or per mean of several if there are more values than `width`. 0 is the baseline. */
export function sparkline(values: readonly number[], width = 60): string {
  const points = resample(values, width)
  const top = Math.max(0, ...points)
  const bottom = Math.min(0, ...points)
  if (top === bottom) return '▁'.repeat(points.length)
  return points
    .map((value) => HEIGHTS[Math.min(7, Math.floor(((value - bottom) / (top - bottom)) * 8))] ?? '▁')
    .join('')
}

function resample(values: readonly number[], width: number): number[] {
  if (values.length <= width) return [...values]
  return Array.from({ length: width }, (_, index) => {
    const from = Math.floor((index * values.length) / width)
    const to = Math.max(from + 1, Math.floor(((index + 1) * values.length) / width))
    return mean(values.slice(from, to))
  })
}

export interface Bar {
  readonly label: string
  readonly value: number
}

/** One line per bar: label, bar, figure. Losses are drawn light. The longest bar has `width` characters. */
export function textChart(series: readonly Bar[], format: (value: number) => string, width = 30): string {
  const labels = series.map(({ label }) => plainLabel(label, 28))
  const longest = Math.max(0, ...labels.map((label) => [...label].length))
  const most = Math.max(0, ...series.map(({ value }) => Math.abs(value)))
  return series
    .map(({ value }, index) => {
      const label = labels[index] ?? ''
      const pad = ' '.repeat(longest - [...label].length)
      return `${label}${pad}  ${bar(value, most, width)} ${format(value)}`.trimEnd()
    })
    .join('\n')
}

function bar(value: number, most: number, width: number): string {
  if (most === 0 || !Number.isFinite(value)) return ''
  const eighths = Math.round((Math.abs(value) / most) * width * 8)
  if (value < 0) return '░'.repeat(Math.max(1, Math.round(eighths / 8)))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}
