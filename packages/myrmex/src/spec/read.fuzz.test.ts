import { propertyRuns } from '@myrmex/testing/long'
import { parseBlocks } from '@myrmex/testing/spec/parse-markdown'
import { anyDocument, bigDocument, mutatedDocument } from '@myrmex/testing/spec/sample-documents'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DocumentTool, JsonBlock, TextLocation } from './document.ts'
import { readDocument } from './read.ts'

const RUNS = propertyRuns(70, 1000)

/** Bits of Markdown that mean something to each other. */
const bits = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...[
            '\n',
            '\n\n',
            ' ',
            '- ',
            '* ',
            '1. ',
            '2) ',
            '5. ',
            '  ',
            '   ',
            '    ',
            '\t',
            '# ',
            '###',
            '---',
            '===',
            '-',
          ],
          ...['```', '~~~', '```json', '````', '|', '|a|b|', '|-|-|', 'a | b', '> ', '>', '<!--', '-->', '<div>', '<?'],
          ...[
            '<script>',
            '</script>',
            '\\',
            '`',
            '*',
            '**',
            '_',
            '[a]: b',
            '[a]',
            '(b)',
            '&#32;',
            ':',
            '+ ',
            '\r\n',
            '\r',
          ],
          ...['- - -', '***', 'word', '<br>', '{', '## Tool: `a.b`', '### Security', '**Errors**:', '**Version**: 1'],
        ),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((parts) => parts.join(''))

/** A tool as data, with the place of every value in its blocks. */
function shown(tool: DocumentTool): unknown {
  const block = (json: JsonBlock | undefined) => json && { ...json, places: placesIn(json) }
  const examples = tool.examples.map((example) => ({
    ...example,
    call: block(example.call),
    result: block(example.result),
  }))
  return { ...tool, inputSchema: block(tool.inputSchema), outputSchema: block(tool.outputSchema), examples }
}

function placesIn(json: JsonBlock): TextLocation[] {
  const keys = typeof json.value === 'object' && json.value !== null ? Object.keys(json.value) : []
  return keys.map((key) => json.locationOf([key]))
}

/** Functions are created in every reading and are not compared. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/**
 * A tag alone on a line that goes on with the paragraph of a list item or quote. CommonMark has it as text of the paragraph, and so
 * does our reader; the mdast parser ends the paragraph there.
 */
const TAG_AFTER_TEXT = /\S[^\r\n]*(?:\r\n?|\n)[ \t]*<(?:\/(?!div)|(?!div|script))[a-z][^\r\n]*>[ \t]*$/im

/**
 * A list that could not end a paragraph, because it counts from another number than 1 or begins with an empty item, where it does not
 * have to: after indented code, or inside a quote or an item that does end the paragraph. In CommonMark and our reader it is a list;
 * the mdast parser takes it for text.
 */
const LIST_AFTER_TEXT =
  /(?:\S[^\r\n]*(?:\r\n?|\n)|^(?: {4}|\t)[^\r\n]*(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))*)[ \t]*(?:(?:>|[-*+]|1[.)])[ \t]*)*(?:(?!1[.)])\d{1,9}[.)]|(?:[-*+]|\d{1,9}[.)])[ \t]*$)/m

/** The last line is an empty line of a quote. Of a fence in the quote, our reader counts it as code, and the mdast parser does not. */
const QUOTED_EMPTY_END = /(?:^|[\r\n])[ \t]*(?:>[ \t]*)+$/

/** The mark of a quote after four spaces is code, unless a paragraph goes on. markdown-it, and so our reader, goes on with the quote. */
const INDENTED_QUOTE = /^(?: {4}| {0,3}\t)[ \t]*>/m

const KNOWN_DIFFERENCES = [TAG_AFTER_TEXT, LIST_AFTER_TEXT, QUOTED_EMPTY_END, INDENTED_QUOTE]

function readBothWays(markdown: string): void {
  if (KNOWN_DIFFERENCES.some((pattern) => pattern.test(markdown))) return
  const ours = readDocument(markdown)
  const theirs = readDocument(markdown, (lines) => ({ nodes: parseBlocks(lines), faults: [] }))
  expect(plain(ours.tools.map(shown))).toEqual(plain(theirs.tools.map(shown)))
  expect(ours.faults.filter(({ rule }) => rule === 'open-fence')).toEqual(theirs.faults)
}

test('documents in many forms are read as the mdast parser has them', () => {
  fc.assert(fc.property(anyDocument(), readBothWays), { numRuns: Math.ceil(RUNS / 40) })
})

test.each([
  '<div>\n- a\n\n  ```\n\n### Security\n\nNone.\n\n  ```\n',
  '|a|b|\n|-|-|\n|c\\\\|d\\|e|\n',
  '- a\n\n  ```json\n  {}\n  ```\n\n### Security\n\nNone.\n',
  '<pre>\n\n### Security\n\n</pre>\n\nb\n',
  '   ```json\n  {\n ',
  ...['~~~a | b', '```a | b', '# a | b', '> a | b', '- a | b', '<div> | b', '1. a | b', '*** | b', 'a | b'].map(
    (header) => `${header}\n|-|-|\n`,
  ),
  // Only spaces and tabs make a line blank: it is a row of the table, and the table goes on.
  '| a |\n| - |\n| b |\n\ufeff\n| c |\n\n| d |',
  '| a |\n| - |\n\u00a0\n\u3000\n| c |',
])('%j is read as the mdast parser has it', (text) => {
  readBothWays(`## Tool: \`a.b\`\n\n### Input\n\n${text}`)
})

test('heaps of Markdown are read as the mdast parser has them', () => {
  const inTool = bits.map((text) => `## Tool: \`a.b\`\n\n### Security\n\n${text}`)
  fc.assert(fc.property(fc.oneof(bits, inTool), readBothWays), { numRuns: RUNS * 2 })
})

test(`${RUNS} broken documents are read without a throw, and as the mdast parser has them`, () => {
  let count = 0
  fc.assert(
    fc.property(anyDocument().chain(mutatedDocument), (text) => {
      const { tools, faults } = readDocument(text)
      const lineCount = text.split(/\r\n?|\n/).length
      const places = [...tools.flatMap(({ location, sections }) => [location, ...sections.map((one) => one.location)])]
      for (const { line } of [...places, ...faults.map(({ location }) => location)]) {
        expect(line).toBeGreaterThan(0)
        expect(line).toBeLessThanOrEqual(lineCount)
      }
      // The mdast parser is slow: every twentieth document is enough.
      if (count++ % 20 === 0) readBothWays(text)
    }),
    { numRuns: RUNS },
  )
})

test('noise is read without a throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void readDocument(text)),
    { numRuns: RUNS },
  )
})

test('a document of 1 MB is read', () => {
  const text = bigDocument(1 << 20)
  expect(withTimeLimit(1000, () => readDocument(text), 4).tools.length).toBeGreaterThan(200)
})

const n = 100_000
test.each([
  ['brackets', '['.repeat(n)],
  ['links', '[a]('.repeat(n / 4)],
  ['emphasis', '*a '.repeat(n)],
  ['mixed emphasis', '*a_ **b __c '.repeat(n / 12)],
  ['backticks', '`'.repeat(n)],
  ['backticks of every length', Array.from({ length: 450 }, (_, count) => '`'.repeat(count + 1)).join(' ')],
  ['backslashes', '\\'.repeat(n)],
  ['newlines', '\n'.repeat(1_000_000)],
  ['quotes', '> '.repeat(n / 10)],
  ['lists in lists', '- '.repeat(n / 10)],
  ['ever deeper lists', Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
  ['comments', 'x<!--'.repeat(n / 5)],
  ['underlined headings', ' a\n===\n'.repeat(n / 7)],
  ['lines that go on with a quote', `> a\n${'=b\n'.repeat(n / 3)}`],
  ['lists in quotes in lists', '> - > - a\n'.repeat(n / 10)],
  ['lists between rules', '* a\n* * *\n'.repeat(n / 10)],
  ['one paragraph', 'some words \n'.repeat(n)],
  ['a wide table', `${'|a'.repeat(n)}\n${'|-'.repeat(n)}\n${'|a'.repeat(n)}\n`],
  ['a long table', `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(n)}`],
  ['fences for Markdown', '```md\n```\n'.repeat(n / 10)],
  ['names as headings', '# a.b\n'.repeat(n / 6)],
  ['labels', '**Errors**: a\n'.repeat(n / 14)],
  ['errors', `## Tool: \`a.b\`\n\n## Errors\n\n${'### `AError`\n\nb\n\n'.repeat(n / 17)}`],
])('reading is not held up by %s', (_, text) => {
  withTimeLimit(2000, () => readDocument(text))
})
