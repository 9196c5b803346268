import { expect, test } from 'vitest'
import { readableJson } from '../tool/text/readable-json.ts'
import { jsonLine, oneLine, wrap, wrapWithCommand } from './terminal.ts'

const HOSTILE = 'a\u001b[2J\r\nb\t c\u202e\u200b\u009b'

test('text of others becomes one line in which nothing hides', () => {
  expect(oneLine(HOSTILE)).toBe('a\\u{1b}[2J b c\\u{202e}\\u{200b}\\u{9b}')
  expect(oneLine('x'.repeat(50), 10)).toBe('xxxxxxxxx…')
})

test('JSON keeps every character, spaces too', () => {
  expect(jsonLine('{"a":"x  y\u200b"}')).toBe('{"a":"x  y\\u{200b}"}')
})

test('wrapped text has no line that is wider than the terminal, whatever its words are', () => {
  const lines = wrap(`${'漢'.repeat(90)} ${'x'.repeat(150)} a b`, 4).split('\n')
  for (const line of lines) expect(line).toMatch(/^ {4}(漢{1,48}|[xab ]{1,96})$/)
  expect(lines.join('').replaceAll(' ', '')).toBe(`${'漢'.repeat(90)}${'x'.repeat(150)}ab`)
})

test('a command is behind its text if it fits there, otherwise whole on a line of its own', () => {
  const command = 'npx myrmex trust a --open'
  expect(wrapWithCommand('Decide:', command, 2)).toBe(`  Decide: ${command}`)
  expect(wrapWithCommand('', command, 2)).toBe(`  ${command}`)
  for (let length = 60; length < 130; length++) {
    const lines = wrapWithCommand('x '.repeat(length / 2).trim(), command, 2).split('\n')
    expect(lines.at(-1)).toMatch(/^ {2}(?: {2}|.* )npx myrmex trust a --open$/)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
  }
})

test('JSON for programs has nothing a terminal would act on, and is the same value', () => {
  const value = { [HOSTILE]: [`${HOSTILE}\u{e0041}`, 'é 🐜'] }
  const text = readableJson(value)
  expect(JSON.parse(text)).toEqual(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(text).not.toMatch(/[\u001b\u009b\u202e\u200b\u{e0041}]/u)
  expect(text).toContain('é 🐜')
})
