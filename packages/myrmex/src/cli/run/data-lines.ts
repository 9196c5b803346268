/** Data as people read it: a name and a value per line, shortened. The text comes from tools and is made safe. */

import { isReference } from '../../agent/plan/plan.ts'
import { isObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { clean, oneLine, paint } from '../../serve/terminal.ts'

const MAX_TEXT = 240
const MAX_DEPTH = 4

/** At most `most` indented lines, and how many are left out. */
export function dataLines(value: unknown, indent: number, most = 12): string[] {
  const lines: string[] = []
  writeLines(value, 0, undefined, lines)
  return cutLines(lines, lines.length > most ? most - 1 : most, indent)
}

const MAX_TEXT_LINES = 80

/** A result with a `text` of several lines is shown as that text. */
export function textLines(value: unknown, indent: number): string[] | undefined {
  if (!isObject(value) || typeof value.text !== 'string' || !value.text.includes('\n')) return undefined
  return cutLines(value.text.trimEnd().split('\n').map(clean), MAX_TEXT_LINES, indent)
}

function cutLines(lines: readonly string[], most: number, indent: number): string[] {
  const rest = lines.length - most
  const shown = rest > 0 ? [...lines.slice(0, most), paint('dim', `… ${plural(rest, 'more line')}`)] : lines
  return shown.map((line) => ' '.repeat(indent) + line)
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

/** Undefined: the value is shown on its own line. */
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
      `the result of ${oneLine(value.$from, 60)}${value.path === '' ? '' : ` at ${oneLine(value.path, 120)}`}`,
    )
  if (typeof value === 'string') return oneLine(value, MAX_TEXT)
  return oneLine(JSON.stringify(value) ?? 'nothing', MAX_TEXT)
}
