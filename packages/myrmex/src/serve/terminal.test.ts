import { expect, test } from 'vitest'
import { readableJson } from '../tool/text/readable-json.ts'
import { foldLines, jsonLine, oneLine } from './terminal.ts'

const HOSTILE = 'a\u001b[2J\r\nb\t c\u202e\u200b\u009b'

test('text of others becomes one line in which nothing hides', () => {
  expect(oneLine(HOSTILE)).toBe('a\\u{1b}[2J b c\\u{202e}\\u{200b}\\u{9b}')
  expect(oneLine('x'.repeat(50), 10)).toBe('xxxxxxxxx…')
})

test('JSON keeps every character, spaces too', () => {
  expect(jsonLine('{"a":"x  y\u200b"}')).toBe('{"a":"x  y\\u{200b}"}')
})

test('folded text loses nothing where it is cut', () => {
  const text = `${'word  '.repeat(60)}end 🐜`
  const lines = foldLines(text, 4).split('\n')
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.every((line) => line.startsWith('    '))).toBe(true)
  expect(lines.map((line) => line.slice(4)).join('')).toBe(text)
})

test('JSON for programs has nothing a terminal would act on, and is the same value', () => {
  const value = { [HOSTILE]: [`${HOSTILE}\u{e0041}`, 'é 🐜'] }
  const text = readableJson(value)
  expect(JSON.parse(text)).toEqual(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(text).not.toMatch(/[\u001b\u009b\u202e\u200b\u{e0041}]/u)
  expect(text).toContain('é 🐜')
})
