/** Text from callers and tool authors, made safe for one of our lines: it cannot break, hide in or imitate one. */
import { fit } from '../protocol/text.ts'
import { escapeHidden } from '../tool/text/hidden-characters.ts'
import { clean } from './terminal.ts'

/** On one line, with hidden characters written out, and cut at `longest`. */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  return jsonLine(text.replace(/[ \t\r\n]+/g, ' ').trim(), longest)
}

/** JSON text, which has no line breaks, with every character kept unless it is longer than `longest`. */
export function jsonLine(json: string, longest = Number.POSITIVE_INFINITY): string {
  const line = clean(escapeHidden(json))
  return fit(line, longest)
}

/** Cut into lines as wide as the terminal, at any character, so that spaces are kept. */
export function foldLines(text: string, indent: number): string {
  const width = Math.max(20, (process.stdout.columns || 100) - indent)
  const lines = text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? ['']
  return lines.map((line) => ' '.repeat(indent) + line).join('\n')
}
