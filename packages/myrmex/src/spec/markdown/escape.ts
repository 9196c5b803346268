/**
 * Escapes any text as Markdown that shows exactly this text and can be read back. Escaped text cannot open or close a section and
 * cannot contain links, images or HTML.
 */

/** Characters that mean something wherever they stand. */
const ANYWHERE = /[\\`*[\]<>&~$|]/g
/** An underscore within a word is only that; elsewhere it may begin or end emphasis. */
const UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
/** What would open a heading, a list, an underline or a table if it stood first on its line. */
const FIRST = /^(?:[-+=#:]|\d{1,9}(?=[.)]))/

const reference = (character: string): string => `&#${character.codePointAt(0)};`

function escapeLine(line: string, pipe: string): string {
  const plain = line
    .replace(ANYWHERE, (character) => (character === '|' ? pipe : `\\${character}`))
    .replace(UNDERSCORE, '\\_')
    .replace(/\r/g, reference)
    // Blanks at the ends of a line are dropped unless they are written out.
    .replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, (blanks) => [...blanks].map(reference).join(''))
  const first = FIRST.exec(plain)?.[0]
  if (first === undefined) return plain
  return /\d/.test(first) ? plain.replace(/[.)]/, '\\$&') : `\\${plain}`
}

/** As paragraphs: an empty line parts them, a line break within one is kept. */
export function escapeText(text: string): string {
  const lines = text.split('\n')
  return lines.map((line, index) => (index > 0 ? between(lines, index) : '') + escapeLine(line, '\\|')).join('')
}

/** How the break before this line is written. Only one that stands between two texts can stand as itself. */
function between(lines: readonly string[], index: number): string {
  const [before, here] = [lines[index - 1] as string, lines[index] as string]
  if (before !== '' && here !== '') return '\\\n'
  // An empty line with text on both sides parts two paragraphs.
  if (here === '' && before !== '' && has(lines[index + 1])) return '\n'
  if (before === '' && here !== '' && has(lines[index - 2])) return '\n'
  return reference('\n')
}

const has = (line: string | undefined): boolean => line !== undefined && line !== ''

/** On one line, in a cell of a table or anywhere else. */
export const escapeInline = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapeLine(line, '&#124;'))
    .join('<br>')
