import { COLUMNS, captureScreen, wrapped } from '@myrmex/testing/cli/screen'
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foreignJson, foreignJsonLine, foreignLines, foreignProse } from './foreign-text.ts'

const FIRST_OR_NEXT = /^ {2}[│↳]( |$)/

/** What an attacker writes: blanks of all kinds, wide and combining characters, our own marks, escapes. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '\n',
        '\\n',
        '\\\\',
        '"',
        '  │ ',
        '\n  ↳ ',
        '[␠×90]',
        '\u3000',
        '\u2800',
        'e\u0301',
        '漢',
        '🐜',
        '\u202e',
      ),
      fc.integer({ min: 0, max: 300 }).map((length) => ' '.repeat(length)),
      fc.integer({ min: 0, max: 100 }).map((length) => '漢'.repeat(length)),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''))

test('every screen line of any text has a mark of ours, and no text fills the screen with blanks', () => {
  captureScreen()
  fc.assert(
    fc.property(hostile, (text) => {
      const lines = [
        ...foreignLines([text]),
        ...foreignProse(text),
        ...foreignJson({ [text]: [text, { text }] }),
        ...foreignJsonLine(JSON.stringify(text), 300, '(more)'),
      ]
      for (const line of lines.flatMap(wrapped)) {
        expect(line).toMatch(FIRST_OR_NEXT)
        expect(line).not.toMatch(/ {25}/)
      }
    }),
    { numRuns: propertyRuns(200, 20_000) },
  )
})

test('the value can be read back from the screen, so that different values look different', () => {
  captureScreen()
  fc.assert(
    fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile), fc.double())), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown
      expect(readBack(foreignJson(plain))).toEqual(plain)
    }),
    { numRuns: propertyRuns(200, 20_000) },
  )
})

/** As a person reads it: lines with `↳` continue the one above, behind the indentation of its first line. */
function readBack(lines: readonly string[]): unknown {
  let indent = 0
  const text = lines.map((line) => {
    const content = line.slice(4)
    if (line.startsWith('  ↳ ')) return content.slice(indent)
    indent = content.length - content.trimStart().length
    return content
  })
  const json = text
    .join('')
    .replace(/\[␠×(\d+)\]/g, (_, count: string) => ' '.repeat(Number(count)))
    .replace(
      /(?<!\\)((?:\\\\)*)\\u\{([\da-f]+)\}/g,
      (_, before: string, code: string) => before + escaped(Number.parseInt(code, 16)),
    )
  return JSON.parse(json)
}

const escaped = (code: number): string => JSON.stringify(String.fromCodePoint(code)).slice(1, -1)

test('JSON has one member a line, and short lists stay together', () => {
  expect(foreignJson({ amount: 5, to: { name: 'Ann' }, tags: ['a', 'b'], none: {} })).toEqual([
    '  │ {',
    '  │   "amount": 5,',
    '  │   "to": {',
    '  │     "name": "Ann"',
    '  │   },',
    '  │   "tags": ["a","b"],',
    '  │   "none": {}',
    '  │ }',
  ])
})

test('a text of several lines is read line by line, and its lines cannot look like other members', () => {
  expect(foreignJson({ script: 'cd /tmp\n\n"amount": 5,' })).toEqual([
    '  │ {',
    '  │   "script": "cd /tmp\\n\\n',
    '  ↳   \\"amount\\": 5,"',
    '  │ }',
  ])
})

test('deep values are on one line, and many letters with many marks stay where they are', () => {
  let deep: unknown = 1
  for (let level = 0; level < 500; level++) deep = [deep]
  expect(foreignJson(deep).every((line) => line.length <= COLUMNS && !/ {20}/.test(line))).toBe(true)
  expect(foreignLines([`a${'\u0301'.repeat(6)}`])).toEqual([`  │ a${'\u0301'.repeat(4)}\\u{301}\\u{301}`])
})
