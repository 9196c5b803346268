/** What the command prints: results on stdout, everything else on stderr, colour only where somebody looks. */
import { styleText } from 'node:util'
import { ToolError } from '../protocol/errors.ts'

type Style = Parameters<typeof styleText>[0]

/** styleText asks the stream whether it is a terminal and what NO_COLOR says. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

/**
 * Text of a server nobody vouches for: characters that move the cursor, change colours or turn the reading direction are
 * shown as �, so that it can neither hide nor fake anything on the screen.
 */
export const clean = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** What somebody's code prints while it loads or runs goes to stderr: results on stdout are ours alone. */
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

/** Text as wide as the terminal, every line set in by `indent`. */
export function wrap(text: string, indent: number): string {
  const width = Math.max(20, (process.stdout.columns || 100) - indent)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one).join('\n')
}

/** A line about what goes on, beside the results. */
export const say = (line: string): void => {
  process.stderr.write(`myrmex: ${line}\n`)
}

/** One line that says what is wrong, and the exit code for it. */
export function fail(error: unknown): { exitCode: number } {
  const message = clean(error instanceof Error ? error.message : String(error))
  const type = error instanceof ToolError ? `${error.error_type}: ` : ''
  process.stderr.write(`${styleText('red', 'myrmex:', { stream: process.stderr })} ${type}${message}\n`)
  return { exitCode: 1 }
}
