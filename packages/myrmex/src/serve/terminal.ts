/** Output of the command: results on stdout, everything else on stderr, colour only on a terminal. */
import { styleText } from 'node:util'
import { messageOf, ToolError } from '../protocol/errors.ts'
import { fit } from '../protocol/text.ts'
import { escapeUnseen, foldWords, textColumns } from './foreign-text.ts'

type Style = Parameters<typeof styleText>[0]

/** styleText respects NO_COLOR and whether the stream is a terminal. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

/**
 * Text from an untrusted server: characters that move the cursor, change colours or the reading direction are shown as �, so that it
 * can neither hide nor imitate anything on the screen.
 */
export const clean = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')

/**
 * Text of others as a part of one of our lines, with hidden characters written out and blanks joined. Pass it through `wrap` if the line
 * may become longer than the terminal. Where a person decides, use `foreign-text.ts`: this does not show a text exactly.
 */
export function oneLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  return jsonLine(text.replace(/[\p{Zs}\t\r\n]+/gu, ' ').trim(), maxLength)
}

/** JSON text, which has no line breaks, with every character kept unless it is longer than `maxLength`. */
export function jsonLine(json: string, maxLength = Number.POSITIVE_INFINITY): string {
  const line = clean(escapeUnseen(json))
  return fit(line, maxLength)
}

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Sends the output of tool code to stderr while `work` runs: stdout is only for our results. */
export async function withStdoutOnStderr<T>(work: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process
  const { write } = stdout
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  try {
    return await work()
  } finally {
    stdout.write = write
  }
}

/** Text wrapped at the width of the terminal, with every line indented. A word that is longer than a line is cut. */
export function wrap(text: string, indent: number): string {
  const width = Math.max(20, (process.stdout.columns || 100) - indent)
  const lines = foldWords(text.replace(/\s+/g, ' '), width)
  return lines.map((line) => ' '.repeat(indent) + line).join('\n')
}

/**
 * Text and the command that helps, behind it or on a line of its own. A command is never broken: half of one may mean something else. It
 * must be one of ours, in which only names are of others.
 */
export function wrapWithCommand(text: string, command: string, indent: number): string {
  if (text === '') return `${' '.repeat(indent)}${command}`
  const lines = wrap(text, indent)
  const last = lines.slice(lines.lastIndexOf('\n') + 1)
  const fits = textColumns(last) + 1 + textColumns(command) <= (process.stdout.columns || 100)
  return fits ? `${lines} ${command}` : `${lines}\n${' '.repeat(indent + 2)}${command}`
}

/** The same, with `name` in a colour if all of it fits on one line. */
export function wrapNamed(style: Style, name: string, rest: string, indent: number): string {
  const lines = wrap(`${name}${rest}`, indent)
  return lines.includes('\n') ? lines : `${' '.repeat(indent)}${paint(style, name)}${rest}`
}

/** Wraps text of several lines. Continued lines are indented a little further. Safe for any text; add colours afterwards. */
export const wrapParagraphs = (text: string): string => clean(text).split('\n').map(wrapLine).join('\n')

function wrapLine(line: string): string {
  const indent = line.length - line.trimStart().length
  const width = process.stdout.columns || 100
  if (textColumns(line) <= width) return line
  const [first = '', ...rest] = wrap(line.trimStart(), indent + 2).split('\n')
  return [' '.repeat(indent) + first.trimStart(), ...rest].join('\n')
}

/** A heading and a bullet per item, or nothing. Items may be texts of others. */
export const bulletList = (heading: string, items: readonly string[]): string =>
  section(
    heading,
    items.map((item) => `  - ${wrap(oneLine(item), 4).trimStart()}`),
  )

/** A heading and lines, or nothing if there are no lines. */
export const section = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [paint('bold', heading), ...lines].join('\n')

/** Labels and their texts in two columns. Empty texts are skipped. */
export function factLines(facts: readonly (readonly [label: string, text: string])[]): string[] {
  const width = Math.max(...facts.map(([label]) => label.length))
  return facts.filter(([, text]) => text !== '').map(([label, text]) => `${paint('dim', label.padEnd(width))}  ${text}`)
}

/**
 * Cells padded to the width of their column; those of the columns `right` at the left side. `widths` has the widths so far: they only
 * grow, so that later rows stay aligned.
 */
export function padColumns(
  rows: readonly (readonly string[])[],
  right: readonly number[],
  widths: number[] = [],
): string[][] {
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  return rows.map((row) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0
      return right.includes(column) ? cell.padStart(width) : cell.padEnd(width)
    }),
  )
}

export const isClosedPipe = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE'

/** For commands that print: the reader of a pipe may close it at any time (`| head`). */
export function exitOnClosedPipe(): void {
  process.stdout.on('error', (error) => {
    if (!isClosedPipe(error)) throw error
    process.exit()
  })
}

/** Nobody reads messages any more, which is no reason to end: not even that could be reported. */
export function ignoreClosedStderr(): void {
  process.stderr.on('error', (error) => {
    if (!isClosedPipe(error)) throw error
  })
}

let recorder: ((line: string) => void) | undefined

/** What `say` prints is also passed to this. */
export const recordSaid = (record: (line: string) => void): void => {
  recorder = record
}

/** A message on stderr. */
export const say = (line: string): void => {
  recorder?.(line)
  sayUnrecorded(line)
}

/** For lines that the caller records itself. */
export const sayUnrecorded = (line: string): void => {
  process.stderr.write(`myrmex: ${line}\n`)
}

/** Prints an error as one line, and returns the exit code. */
export function fail(error: unknown): { exitCode: number } {
  const message = clean(messageOf(error))
  const type = error instanceof ToolError ? `${error.error_type}: ` : ''
  process.stderr.write(`${styleText('red', 'myrmex:', { stream: process.stderr })} ${type}${message}\n`)
  return { exitCode: 1 }
}
