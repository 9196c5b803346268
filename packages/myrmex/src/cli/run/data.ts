/** A result as people read it: a name and a value a line, cut where nobody would read on. Its texts are strangers'. */

import { isReference } from '../../agent/plan/plan.ts'
import { isObject } from '../../protocol/json.ts'
import { oneLine } from '../line.ts'
import { clean, paint } from '../terminal.ts'

const LONGEST = 240
const DEEPEST = 4

/** At most `most` lines, each set in by `indent`; says how many it left out. */
export function dataLines(value: unknown, indent: number, most = 12): string[] {
  const lines: string[] = []
  write(value, 0, undefined, lines)
  const shown = lines.length > most ? lines.slice(0, most - 1) : lines
  const rest = lines.length - shown.length
  return [...shown, ...(rest > 0 ? [paint('dim', `… ${rest} more lines`)] : [])].map(
    (line) => ' '.repeat(indent) + line,
  )
}

const MOST_TEXT = 80

/** A result that has a `text` of several lines says itself how it wants to be read. */
export function textLines(value: unknown, indent: number): string[] | undefined {
  if (!isObject(value) || typeof value.text !== 'string' || !value.text.includes('\n')) return undefined
  const lines = value.text.trimEnd().split('\n')
  const rest = lines.length - MOST_TEXT
  const shown = lines.slice(0, MOST_TEXT).map((line) => clean(line))
  return [...shown, ...(rest > 0 ? [paint('dim', `… ${rest} more lines`)] : [])].map(
    (line) => ' '.repeat(indent) + line,
  )
}

function write(value: unknown, depth: number, name: string | undefined, lines: string[]): void {
  const label = name === undefined ? '' : `${paint('dim', `${oneLine(name, 60)}:`)} `
  const pad = '  '.repeat(depth)
  const children = childrenOf(value, depth)
  if (children === undefined) {
    lines.push(`${pad}${label}${plain(value)}`)
    return
  }
  if (name !== undefined) lines.push(`${pad}${label}`.trimEnd())
  const deeper = name === undefined ? depth : depth + 1
  for (const [key, child] of children) write(child, deeper, key, lines)
}

/** Undefined: it is shown on its line. */
function childrenOf(value: unknown, depth: number): [string, unknown][] | undefined {
  if (depth >= DEEPEST || isReference(value)) return undefined
  if (Array.isArray(value)) {
    const isShort = value.every((item) => typeof item !== 'object' || item === null)
    return isShort || value.length === 0 ? undefined : value.map((item, index) => [String(index), item])
  }
  if (!isObject(value) || Object.keys(value).length === 0) return undefined
  return Object.entries(value)
}

function plain(value: unknown): string {
  if (isReference(value))
    return paint(
      'cyan',
      `what ${oneLine(value.$from, 60)} gives${value.path === '' ? '' : ` at ${oneLine(value.path, 120)}`}`,
    )
  if (typeof value === 'string') return oneLine(value, LONGEST)
  return oneLine(JSON.stringify(value) ?? 'nothing', LONGEST)
}
