/** The screen of a terminal with 80 columns and 24 lines: what a person sees of the output of a command that runs in this process. */
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished, vi } from 'vitest'

export const COLUMNS = 80
export const ROWS = 24

export interface CapturedScreen {
  /** all lines as a terminal wraps them, those that have scrolled away too */
  lines(): string[]
  /** the lines that are on the screen at the end */
  visible(): string[]
}

/** Captures stdout and stderr until the test is over. */
export function captureScreen(): CapturedScreen {
  const { columns, rows } = process.stdout
  Object.assign(process.stdout, { columns: COLUMNS, rows: ROWS })
  let written = ''
  const write = (text: string | Uint8Array): boolean => {
    written += String(text)
    return true
  }
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(write))
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
    process.exitCode = undefined
    Object.assign(process.stdout, { columns, rows })
  })
  const lines = (): string[] => stripVTControlCharacters(written).replace(/\n$/, '').split('\n').flatMap(wrapped)
  return { lines, visible: () => lines().slice(-ROWS) }
}

/** Wide characters take two columns, marks none. */
export function wrapped(line: string): string[] {
  const lines = ['']
  let column = 0
  for (const character of line) {
    const width = /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1
    if (column + width > COLUMNS) {
      lines.push('')
      column = 0
    }
    lines[lines.length - 1] += character
    column += width
  }
  return lines
}

const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60]|\p{Emoji_Presentation}/u
