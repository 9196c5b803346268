import { describe, expect, test } from 'vitest'
import { exportNames, importDocument, toLiteral } from './import.ts'
import { readDocument } from './read.ts'

const evaluated = (source: string): unknown => new Function(`return (${source})`)()

describe('a value as code', () => {
  test.each([
    [{ a: 1, 'b-c': [true, null, 'x'] }],
    ['it\'s "quoted" \\ and \n broken'],
    ["it's"],
    [JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')],
    [{ long: 'x'.repeat(200), list: Array.from({ length: 30 }, (_, index) => ({ index })) }],
    ['a `template` $' + '{process.exit()}'],
    ['a\u2028b\u202eevil'],
  ])('%j is that value', (value) => {
    const back = evaluated(toLiteral(value, 2))
    expect(JSON.stringify(back)).toBe(JSON.stringify(value))
  })

  test('what a reader would not see is escaped', () => {
    expect(toLiteral('a\u202eb\u200b', 0)).toBe("'a\\u202eb\\u200b'")
  })
})

test('tools are exported by their own name, with more of it where that is taken or kept by the language', () => {
  const named = (name: string, version = '1.0.0') => ({ name, version })
  expect(
    exportNames([
      named('shop.read_file'),
      named('other.read_file'),
      named('shop.read_file', '2.0.0'),
      named('shop.read_file', '2.0.0'),
      named('shop.delete'),
      named('shop.tool'),
      named('a.2d'),
      named('a.__'),
    ]),
  ).toEqual(
    ['readFile', 'otherReadFile', 'shopReadFile', 'shopReadFile200', 'toolDelete', 'toolTool', 'tool2d', 'unnamed'].map(
      (name) => (name === 'tool' ? expect.any(String) : name),
    ),
  )
})

test('what a hand-written document does not say is filled in on the safe side, and named', () => {
  const source = importDocument(
    readDocument('## Tool: `a.b`\n\n**Purpose and Description**:\nDoes b.\n\n**Invocation Name**:\n`a.b`\n'),
    'a.md',
  )
  expect(source).toContain("  // The document does not say.\n  version: '0.1.0',")
  expect(source).toContain('  // The document does not say.\n  destructive: true,')
  expect(source).toContain('  // The document does not say.\n  idempotent: false,')
  expect(source).toContain("  description: 'Does b.',")
})

test('a schema that cannot be read is not taken for one that is missing', () => {
  const document = readDocument('## Tool: `a.b`\n\n### 3. Input Schema\n\n```json\n{"type": }\n```\n')
  expect(() => importDocument(document, 'a.md')).toThrow(/a\.md:6: a\.b: not JSON/)
})

test('a document without a tool, or a tool without a name, is refused with what to do', () => {
  expect(() => importDocument(readDocument('# Hello'), 'a.md')).toThrow(/describes no tool.*spec lint a\.md/)
})

test.each([
  ['## Tool: `a.b` (v1.0)\n\n### Security\n\nNone.\n', /a\.md:1: a\.b: "1\.0" is not a semantic version/],
  ['## Tool: `read_file`\n\n### Security\n\nNone.\n', /a\.md:1: read_file: the name is not module\.tool/],
  [
    '## Tool: `a.b`\n\n### Input\n\n```json\n{"a": 1}\n```\n',
    /a\.md:5: a\.b: the input schema must be of type "object"/,
  ],
])('what would not load is refused with its line: %j', (markdown, message) => {
  expect(() => importDocument(readDocument(markdown), 'a.md')).toThrow(message)
})

test('a result is taken for data only where it is', () => {
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a.b","arguments":{}}}'
  const results = [
    '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}}',
    '{"status":"failure","data":null,"error":{"code":404},"explanation":null}',
  ]
  const blocks = results.map((result) => `\`\`\`json\n${call}\n\`\`\`\n\n\`\`\`json\n${result}\n\`\`\`\n`).join('\n')
  const markdown = `## Tool: \`a.b\`\n\n### Output\n\n\`\`\`json\nnull\n\`\`\`\n\n### Examples\n\n${blocks}`
  const source = importDocument(readDocument(markdown), 'a.md')
  expect(source).toContain('examples: [{ arguments: {} }, { arguments: {} }]')
  expect(source).toContain("output: { type: 'null' }")
})
