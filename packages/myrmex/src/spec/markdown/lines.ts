/** The lines of a text whose lines end with a line feed, and the line and column of an offset. */
import type { Node } from 'mdast'
import type { TextLocation } from '../document.ts'

type Position = NonNullable<Node['position']>
type Point = Position['start']

export interface Lines {
  readonly text: string
  readonly count: number
  /** offset of the first character of a line */
  readonly starts: readonly number[]
  /** offset after the last character of a line, before what ends it */
  readonly ends: readonly number[]
  /** the line that was looked up last: the next offset is mostly in the same one */
  last: number
}

export function splitLines(text: string): Lines {
  const starts: number[] = [0]
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    ends.push(at)
    starts.push(at + 1)
  }
  ends.push(text.length)
  return { text, count: starts.length, starts, ends, last: 0 }
}

export const lineAt = (lines: Lines, index: number): string => lines.text.slice(lines.starts[index], lines.ends[index])

function lineOf(lines: Lines, offset: number): number {
  const { starts, last } = lines
  if ((starts[last] as number) <= offset && offset < (starts[last + 1] ?? Number.POSITIVE_INFINITY)) return last
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  lines.last = low
  return low
}

export function pointAt(lines: Lines, offset: number): Point {
  const line = lineOf(lines, offset)
  return { line: line + 1, column: offset - (lines.starts[line] as number) + 1, offset }
}

export const positionOf = (lines: Lines, from: number, to: number): Position => ({
  start: pointAt(lines, from),
  end: pointAt(lines, to),
})

export function locationAt(lines: Lines, offset: number): TextLocation {
  const { line, column } = pointAt(lines, offset)
  return { line, column }
}
