/** What callers and authors of tools wrote, as it may stand in a line of ours: it cannot break it, hide in it or fake one. */
import { fit } from '../protocol/text.ts'
import { escapeHidden } from '../tool/text/hidden-characters.ts'
import { clean } from './terminal.ts'

/** On one line, hidden characters written out; cut where it is longer than told. */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = clean(escapeHidden(text.replace(/[ \t\r\n]+/g, ' ').trim()))
  return fit(line, longest)
}

/** JSON as it was written, which has no line breaks of its own: not a character of it is left out. */
export function jsonLine(json: string, longest = Number.POSITIVE_INFINITY): string {
  const line = clean(escapeHidden(json))
  return fit(line, longest)
}

/** Cut into lines as wide as the terminal, wherever that falls: what stands between words is kept. */
export function foldLines(text: string, indent: number): string {
  const width = Math.max(20, (process.stdout.columns || 100) - indent)
  const lines = text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? ['']
  return lines.map((line) => ' '.repeat(indent) + line).join('\n')
}
