/** Asks one question at the terminal. Anything but yes means no. */
import { ToolError } from '../../protocol/errors.ts'

export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw ToolError.of('ValidationError', 'There is no terminal to ask at. Add --yes to decide without a question.')
  }
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and Ctrl-D close it without an answer.
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)))
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed])
    if (answer === undefined) process.stderr.write('\n')
    return answer !== undefined && /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
