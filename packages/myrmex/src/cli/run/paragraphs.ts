/** Wraps text of several lines at the width of the terminal. Continued lines are indented a little further. */
import { clean, wrap } from '../../serve/terminal.ts'

/** Safe for any text. Colours must be added afterwards. */
export const wrapParagraphs = (text: string): string => clean(text).split('\n').map(wrapLine).join('\n')

function wrapLine(line: string): string {
  const indent = line.length - line.trimStart().length
  const width = process.stdout.columns || 100
  if (line.length <= width) return line
  const [first = '', ...rest] = wrap(line.trimStart(), indent + 2).split('\n')
  return [' '.repeat(indent) + first.trimStart(), ...rest].join('\n')
}
