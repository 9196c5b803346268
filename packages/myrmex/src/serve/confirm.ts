/** Questions to the person who decides about what is on the screen. Anything but yes means no. */
import { plural } from '../protocol/text.ts'

/** Undefined: cancelled. */
export type AskLine = (question: string) => Promise<string | undefined>

/** Whether there is a person at stdin and stdout. */
export const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true

/** Few people read more at once, however high their terminal is. */
const MOST_LINES = 40
const USUAL_ROWS = 24

/** Whether the beginning of a text has scrolled away when the question below it is asked. */
export const exceedsScreen = (lines: number): boolean =>
  lines >= Math.min(process.stdout.rows || USUAL_ROWS, MOST_LINES)

export interface ShownText {
  /** how many screen lines it has */
  readonly lines: number
  /** such as `This call` */
  readonly name: string
  /** typed to confirm a text that is longer than the screen */
  readonly word: string
}

/** `y` is enough if the whole text is on the screen. A longer text needs a typed word. */
export async function confirmShown(question: string, shown: ShownText, ask: AskLine): Promise<boolean> {
  if (!exceedsScreen(shown.lines)) return isYes(await ask(`${question} [y/N] `))
  return (await ask(longQuestion(question, shown)))?.trim() === shown.word
}

export const longQuestion = (question: string, { lines, name, word }: ShownText): string =>
  `${name} has ${plural(lines, 'line')}, more than the screen shows. Scroll up and read it all.\n${question} Type ${word} to confirm: `

const isYes = (answer: string | undefined): boolean => answer !== undefined && /^y(es)?$/i.test(answer.trim())

/** Asks on stdin. Ctrl-C and Ctrl-D cancel. */
export async function askOnStdin(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)))
  try {
    const answer = await Promise.race([terminal.question(question), closed])
    if (answer === undefined) process.stderr.write('\n')
    return answer
  } finally {
    terminal.close()
  }
}
