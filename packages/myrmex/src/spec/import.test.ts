import { describe, expect, test } from 'vitest'
import { exportNames, toLiteral } from './import/code.ts'
import { importDocument, importTools } from './import.ts'
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
  const { source, notes } = importTools(document, 'a.md')
  expect(notes).toMatchObject([{ location: { line: 6 }, tool: 'a.b', message: expect.stringContaining('not JSON') }])
  expect(source).toContain('// Line 6: The input schema is not JSON and was left out.')
  expect(source).toMatch(
    /output: \{ type: 'object' \},[\s\S]*\/\/ 1 part of the document needs a look:\n\/\/ line 6: a\.b: /,
  )
  expect(source).not.toContain('// The document does not say.\n  input:')
})

test.each([
  ['# Hello', /a\.md describes no tool.*spec lint a\.md/],
  ['# Hello\n\nNo MCP tools are defined.\n', /a\.md:3 says that there is no tool/],
  ['## Tool: `[ToolName]`\n\n### Security\n\nNone.\n', /a\.md:1: this is a template/],
])('a document without a tool is refused with what to do: %j', (markdown, message) => {
  expect(() => importDocument(readDocument(markdown), 'a.md')).toThrow(message)
})

const sections = (text: string): string => `## Tool: \`a.b\`\n\n${text}\n\n### Security\n\nNone.\n`

test.each([
  ['## Tool: `a.b` (v1.0)\n\n### Security\n\nNone.\n', "version: '1.0.0'", '"1.0" is not a semantic version'],
  ['## Tool: `a.b` (v1.0)\n\n**Version**: one\n', "version: '0.1.0'", '"one" is not a semantic version'],
  ['## Tool: `Read-File`\n\n### Security\n\nNone.\n', "name: 'docs.read_file'", 'It is imported as docs.read_file'],
  ['## Tool: `shop.readFile`\n\n### Security\n\nNone.\n', "name: 'shop.read_file'", 'imported as shop.read_file'],
  [
    sections('### Input\n\n```json\n{"a": 1}\n```'),
    "properties: { a: { type: 'number' } }",
    'has the fields of that sample',
  ],
  [sections('### Input\n\n```json\n{"type": "array"}\n```'), "input: { type: 'object' }", 'must be of type "object"'],
  [
    sections('### Input\n\n```json\n{"type": "object", "required": 3}\n```'),
    "input: { type: 'object' }",
    'cannot be used',
  ],
  [
    sections('### Output\n\n```json\n{"type": "array"}\n```'),
    "output: { type: 'object' }",
    'of type "object", or "null"',
  ],
  [sections('**Deprecated in**: soon'), 'security:', 'not a semantic version. It was left out'],
  [sections('**Replaced by**: `a.c`'), 'security:', 'does not say since which version'],
  [sections('### Examples\n\n```json\n{"tool_name":\n```'), 'examples: []', 'its call is not JSON'],
  [sections('**Timeout**: 0 ms'), 'security:', '"timeout" was left out: timeout must be'],
  [sections('**Limit**: 0 calls per second'), 'security:', '"limit" was left out: limit.calls must be'],
  ['## Tool: `run.plan`\n\n### Security\n\nNone.\n', "name: 'run.plan_tool'", '"run.plan" is reserved for plans'],
  [
    sections(
      '### Input\n\n```json\n{"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}\n```',
    ),
    "input: { type: 'object' }",
    'The input schema was left out: x-mcp-header "a b" is no header name',
  ],
  [
    sections(
      '### Parameters\n\n| Name | Type | Required |\n|-|-|-|\n| `__proto__` | dict | yes |\n| `x` | int | yes |',
    ),
    "input: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] }",
    'the first is /inputSchema/properties/__proto__',
  ],
  [
    sections('### Examples\n\n```json\n{"tool_name": "a.b", "arguments": {"__proto__": 1, "x": 2}}\n```'),
    'examples: [{ arguments: { x: 2 } }]',
    'the first is /examples/0/arguments/__proto__',
  ],
])('what would not load is changed or left out, and reported: %j', (markdown, code, message) => {
  const { source, notes } = importTools(readDocument(markdown), 'docs/a.md')
  expect(source).toContain(code)
  expect(notes.map((note) => note.message)).toContainEqual(expect.stringContaining(message))
})

test('one part that tool() rejects takes no other with it', () => {
  const parts = ['**Timeout**: 0 ms', '**Limit**: 5 calls per second', '### Errors\n\n- `Odd`: It is odd.']
  const { source, notes } = importTools(readDocument(sections(parts.join('\n\n'))), 'a.md')
  expect(notes).toMatchObject([{ location: { line: 3 }, message: expect.stringContaining('"timeout" was left out') }])
  expect(source).toContain('limit: { calls: 5, per_ms: 1000 }')
  expect(source).toContain("errors: { Odd: 'It is odd.' }")
})

test('a choice of objects stays the schema of an output', () => {
  const schema = '{"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]}'
  const { source, notes } = importTools(readDocument(sections(`### Output\n\n\`\`\`json\n${schema}\n\`\`\``)), 'a/a.md')
  expect(notes).toEqual([])
  expect(source).toContain(
    "output: { oneOf: [{ type: 'object', required: ['a'] }, { type: 'object', required: ['b'] }] }",
  )
})

describe('names without a module', () => {
  const markdown = '# Tools\n\n## `get_wind`\n\n**Parameters**: None\n\n## `get_rain`\n\n**Parameters**: None\n'
  const named = (file: string, module?: string) => importTools(readDocument(markdown), file, { module })

  test('get the one that was given, or else the folder of the document, which is reported once', () => {
    expect(named('x/a.md', 'weather')).toMatchObject({
      source: expect.stringContaining("name: 'weather.get_wind'"),
      notes: [],
    })
    const { source, notes } = named('/srv/Free Weather/a.md')
    expect(source).toContain("name: 'free_weather.get_rain'")
    expect(notes).toEqual([
      {
        location: { line: 3, column: 1 },
        tool: undefined,
        message: '2 names have no module and got "free_weather". Choose another with --module.',
      },
    ])
    expect(named('a.md').source).toContain("name: 'imported.get_wind'")
  })

  test('a module that cannot be one is refused', () => {
    expect(() => named('a.md', 'Free Weather')).toThrow('"Free Weather" cannot be a module')
  })
})

test('two tools of one name and version are both kept', () => {
  const one = '## Tool: `a.b`\n\n### Security\n\nNone.\n'
  const { source, notes } = importTools(readDocument(`${one}\n${one}`), 'a.md')
  expect(source).toContain("name: 'a.b_2'")
  expect(notes).toMatchObject([{ location: { line: 7 }, message: expect.stringContaining('specified twice') }])
})

test('no text of a document gets out of its comment', () => {
  const name = 'x\u2028export const evil = 1'
  const { source } = importTools(readDocument(`## Tool: \`${name}\`\n\n### Security\n\nNone.\n`), 'a.md')
  expect(source).not.toMatch(/^export const evil/m)
  expect(source).not.toContain('\u2028')
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
