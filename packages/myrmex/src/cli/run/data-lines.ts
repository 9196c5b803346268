/** A result as people read it: a name and a value a line, cut where nobody would read on. Its texts are strangers'. */

import { isReference } from '../../agent/plan/plan.ts'
import { isObject } from '../../protocol/json.ts'
import { oneLine } from '../../serve/one-line.ts'
import { clean, paint } from '../../serve/terminal.ts'

const MAX_TEXT = 240
const MAX_DEPTH = 4

/** At most `most` lines, each set in by `indent`; says how many it left out. */
export function dataLines(value: unknown, indent: number, most = 12): string[] {
  const lines: string[] = []
  writeLines(value, 0, undefined, lines)
  const shown = lines.length > most ? lines.slice(0, most - 1) : lines
  const rest = lines.length - shown.length
  return [...shown, ...(rest > 0 ? [paint('dim', `… ${rest} more lines`)] : [])].map(
    (line) => ' '.repeat(indent) + line,
  )
}

const MAX_TEXT_LINES = 80

/** A result that has a `text` of several lines says itself how it wants to be read. */
export function textLines(value: unknown, indent: number): string[] | undefined {
  if (!isObject(value) || typeof value.text !== 'string' || !value.text.includes('\n')) return undefined
  const lines = value.text.trimEnd().split('\n')
  const rest = lines.length - MAX_TEXT_LINES
  const shown = lines.slice(0, MAX_TEXT_LINES).map((line) => clean(line))
  return [...shown, ...(rest > 0 ? [paint('dim', `… ${rest} more lines`)] : [])].map(
    (line) => ' '.repeat(indent) + line,
  )
}

function writeLines(value: unknown, depth: number, name: string | undefined, lines: string[]): void {
  const label = name === undefined ? '' : `${paint('dim', `${oneLine(name, 60)}:`)} `
  const pad = '  '.repeat(depth)
  const children = childrenOf(value, depth)
  if (children === undefined) {
    lines.push(`${pad}${label}${scalarText(value)}`)
    return
  }
  if (name !== undefined) lines.push(`${pad}${label}`.trimEnd())
  const deeper = name === undefined ? depth : depth + 1
  for (const [key, child] of children) writeLines(child, deeper, key, lines)
}

/** Undefined: it is shown on its line. */
function childrenOf(value: unknown, depth: number): [string, unknown][] | undefined {
  if (depth >= MAX_DEPTH || isReference(value)) return undefined
  if (Array.isArray(value)) {
    const isShort = value.every((item) => typeof item !== 'object' || item === null)
    return isShort || value.length === 0 ? undefined : value.map((item, index) => [String(index), item])
  }
  if (!isObject(value) || Object.keys(value).length === 0) return undefined
  return Object.entries(value)
}

function scalarText(value: unknown): string {
  if (isReference(value))
    return paint(
      'cyan',
      `what ${oneLine(value.$from, 60)} gives${value.path === '' ? '' : ` at ${oneLine(value.path, 120)}`}`,
    )
  if (typeof value === 'string') return oneLine(value, MAX_TEXT)
  return oneLine(JSON.stringify(value) ?? 'nothing', MAX_TEXT)
}
