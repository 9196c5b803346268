import { propertyRuns } from '@myrmex/testing/long'
import { parseMarkdown } from '@myrmex/testing/spec/parse-markdown'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import type { Paragraph, Table } from 'mdast'
import { expect, test } from 'vitest'
import { inCode, inLine, readInline, readText, writeText } from './text.ts'

/** A document with the text between two headings, as in a section. */
function throughDocument(text: string): string {
  const source = `## Before\n\n${writeText(text)}\n\n## After\n`
  const { children } = parseMarkdown(source)
  expect(children[0]?.type, source).toBe('heading')
  expect(children.at(-1)?.type, source).toBe('heading')
  expect(children.filter(({ type }) => type === 'heading')).toHaveLength(2)
  return readText(children.slice(1, -1), source)
}

function throughTable(text: string): string {
  const source = `| a | b |\n| --- | --- |\n| ${inLine(text)} | end |\n`
  const table = parseMarkdown(source).children[0] as Table
  expect(table.children[1]?.children, source).toHaveLength(2)
  return readInline(table.children[1]?.children[0]?.children ?? [], source)
}

const awkward = [
  'Plain words.',
  'Two\n\nparagraphs',
  'One\nline break',
  'three\n\n\nbreaks',
  '\nleading',
  'trailing\n',
  ' blanks ',
  'a | b || c',
  'a \\| b \\\\| c',
  '`code` and *emphasis* and **bold** and file_path',
  '- a list\n- of two',
  '1. numbered\n2. list',
  '# A heading',
  'Under\n===',
  'Under\n---',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '**Version**: 9.9.9',
  '## Tool: `evil.tool`',
  '```json\n{}\n```',
  '<script>alert(1)</script>',
  '<br>',
  '<!-- hidden -->',
  '![x](http://example.com/x.png) [y](javascript:alert)',
  '&lt;b&gt; &amp;amp; &#10;',
  '[ref]: http://example.com',
  '> quoted',
  '    indented code',
  'a\r\nb\rc',
  '\ttab',
  '* * *',
  '$x$ ~~gone~~',
  '\\',
  'ends in a backslash\\',
  'a\\\nb',
  '_under_ __score__ a_b _',
  '12) twelve',
  '+ plus',
  'ends in a blank that does not break\u00a0',
  '',
]

test.each(awkward)('%j can be read again from a section and from a table', (text) => {
  expect(throughDocument(text)).toBe(text)
  expect(throughTable(text)).toBe(text)
})

const pieces = fc.array(
  fc.oneof(
    { arbitrary: fc.constantFrom(...awkward), weight: 1 },
    { arbitrary: fc.constantFrom(...'\\`*_[]<>&~$|#-+=:.)\n\t !"\'/1a é'), weight: 6 },
    {
      arbitrary: fc.constantFrom('word', 'http://x.y', '&copy;', '\n\n', '<a', '```', '~~~', '  \n', '\n- ', '\n    '),
      weight: 2,
    },
  ),
  { maxLength: 12 },
)

test('any text can be read again from a section and from a table', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('')
      expect(throughDocument(text)).toBe(text)
      expect(throughTable(text)).toBe(text)
    }),
    { numRuns: propertyRuns(300, 1500) },
  )
})

test('text that is Markdown of the harmless kind stands as it was written', () => {
  for (const text of ['Reads `file_path`.', 'Two\n\nparagraphs', '- one\n- two', 'a *word*'])
    expect(writeText(text)).toBe(text)
  expect(writeText('see [this](http://x.y)')).toBe('see \\[this\\](http://x.y)')
})

test('code in a cell keeps its pipes, and gives way to plain text where it cannot', () => {
  expect(inCode('a|b')).toBe('`a\\|b`')
  const source = `| a |\n| --- |\n| ${inCode('^(a|b)$')} |\n`
  const table = parseMarkdown(source).children[0] as Table
  expect(table.children[1]?.children[0]?.children[0]).toMatchObject({ type: 'inlineCode', value: '^(a|b)$' })
  expect(inCode('a`b')).toBe('a\\`b')
  expect((parseMarkdown(inCode('a\\|b')).children[0] as Paragraph).children[0]).toMatchObject({ value: 'a\\|b' })
})

test.each(['[^1]: moves to the end of the page', 'a [^1]', '$\\text{big}$', '~~struck~~ out', '~struck~'])(
  'what only GitHub makes something of is escaped: %j',
  (text) => {
    expect(writeText(text)).toMatch(/^(?:a )?\\/)
    expect(inLine(text)).toMatch(/^(?:a )?\\/)
    expect(throughDocument(text)).toBe(text)
  },
)

test.each(['`code` for $5 or $10', '`$HOME/$USER`', '~5 and ~6, `x`'])(
  'money and paths stand as they are: %j',
  (text) => expect(writeText(text)).toBe(text),
)

test.each(['_a*', '1. ', '*a_`[<', '> ', '**a'])('a text of nothing but %j does not hold up', (marks) => {
  const text = marks.repeat(50_000).trim()
  withTimeLimit(2000, () => {
    writeText(text)
    inLine(text)
  })
})
