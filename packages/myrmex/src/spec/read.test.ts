import { expect, test } from 'vitest'
import type { DocumentTool } from './document.ts'
import { MAX_DOCUMENT, readDocument } from './read.ts'

/** The only tool of a document. */
function one(markdown: string): DocumentTool {
  const { tools } = readDocument(markdown)
  expect(tools).toHaveLength(1)
  return tools[0] as DocumentTool
}

const ids = ({ sections }: DocumentTool): string[] => sections.map(({ id }) => id)
const ALL = ['purpose', 'name', 'input', 'output', 'errors', 'idempotency', 'examples', 'security']

const OURS = `<!-- Written by a program. -->

# Tool specification: shop

| Tool | Version | Changes state | In short |
| --- | --- | --- | --- |
| [\`shop.price\`](#tool-shopprice) | 1.2.0 | no | Look up a price |

## Tool: \`shop.price\`

### 1. Tool Purpose and Description

**Version**: 1.2.0

**Title**: Look up a price \\[net\\]

Gives the price of one item.

It asks no other system.

| Property | Value |
| --- | --- |
| Changes state | no |
| Time limit | 30000 ms |
| Rate limit | 10 calls per 1000 ms |
| Definition may be kept for | 300 s |
| Runs as a task | allowed |
| Deprecated in | 1.1.0 |
| Replaced by | \`shop.quote\` |

### 2. Invocation Name

\`shop.price\`

### 3. Input Schema (Parameters)

| Parameter Name | Type | Required | Description | Default | Example Value |
| --- | --- | --- | --- | --- | --- |
| \`sku\` | \`string\` | Yes | What is \`sold\` \\| lent | | \`"a\\|b"\` |

**JSON Schema for \`arguments\`**:

\`\`\`json
{
  "type": "object",
  "properties": { "sku": { "type": "string" } }
}
\`\`\`

### 4. Output Schema (Return Value)

| Field Name | Type | Always there | Description |
| --- | --- | --- | --- |
| \`price\` | \`integer\` | Yes | In cents |

**JSON Schema for \`data\` (on success)**:

\`\`\`json
{ "type": "object", "properties": { "price": { "type": "integer" } } }
\`\`\`

### 5. Error Handling

| Error type | When |
| --- | --- |
| \`NotSoldError\` | No item has this sku\\_. |

Every tool can give these as well:

- \`TimeoutError\`: it took too long.

### 6. Idempotency

This tool is **not idempotent**: each call is counted.

### 7. Usage Examples

#### Example 1: A cup

**Call**:

\`\`\`json
{ "tool_name": "shop.price", "arguments": { "sku": "cup" } }
\`\`\`

**Result (its form; the values differ)**:

\`\`\`json
{ "status": "success", "data": { "price": 250 }, "error": null, "explanation": null }
\`\`\`

#### Example 2

**Call**:

\`\`\`json
{ "tool_name": "shop.price", "arguments": { "sku": "pot" } }
\`\`\`

**Result**:

\`\`\`json
{ "status": "success", "data": { "price": 900 }, "error": null, "explanation": null }
\`\`\`

#### Any failure

**Result (its form; the values differ)**:

\`\`\`json
{ "status": "failure", "data": null, "error": { "error_type": "NotSoldError", "error_message": "no" } }
\`\`\`

### 8. Security Considerations

Prices are public.
`

test('a document in our own form is read completely', () => {
  const tool = one(OURS)
  expect(ids(tool)).toEqual(ALL)
  expect(tool).toMatchObject({
    location: { line: 9, column: 1 },
    headingName: { value: 'shop.price' },
    invocationName: { value: 'shop.price', location: { line: 33, column: 1 } },
    version: { value: '1.2.0', location: { line: 13, column: 14 } },
    title: { value: 'Look up a price [net]' },
    description: {
      value: 'Gives the price of one item.\n\nIt asks no other system.',
      location: { line: 17, column: 1 },
    },
    idempotent: { value: false },
    destructive: { value: false, location: { line: 23, column: 19 } },
    security: { value: 'Prices are public.' },
    timeout: { value: 30_000 },
    limit: { value: { calls: 10, per_ms: 1000 } },
    cacheTtl: { value: 300 },
    task: { value: 'allowed' },
    deprecatedIn: { value: '1.1.0' },
    replacedBy: { value: 'shop.quote' },
    errors: [{ type: 'NotSoldError', condition: 'No item has this sku_.', location: { line: 66, column: 1 } }],
  })
  expect(tool.inputTable?.columns).toEqual([
    'Parameter Name',
    'Type',
    'Required',
    'Description',
    'Default',
    'Example Value',
  ])
  expect(tool.inputTable?.rows).toEqual([
    { location: { line: 39, column: 1 }, cells: ['sku', 'string', 'Yes', 'What is `sold` | lent', '', '"a|b"'] },
  ])
  expect(tool.inputSchema?.value).toMatchObject({ type: 'object', properties: { sku: { type: 'string' } } })
  expect(tool.outputTable?.rows[0]?.cells).toEqual(['price', 'integer', 'Yes', 'In cents'])
  expect(tool.outputSchema?.value).toMatchObject({ properties: { price: { type: 'integer' } } })
  expect(tool.examples).toMatchObject([
    { title: 'A cup', formOnly: true, location: { line: 78, column: 1 }, result: { value: { data: { price: 250 } } } },
    { title: undefined, formOnly: false, call: { value: { arguments: { sku: 'pot' } } } },
  ])
})

test('places within JSON are those in the file', () => {
  const { inputSchema } = one(OURS)
  expect(inputSchema?.location).toEqual({ line: 43, column: 1 })
  expect(inputSchema?.locationOf(['properties', 'sku'])).toEqual({ line: 46, column: 26 })
  expect(inputSchema?.locationOf(['properties', 'sku', 'no', 'such'])).toEqual({ line: 46, column: 26 })
  expect(inputSchema?.locationOf([])).toEqual({ line: 44, column: 1 })
})

const BY_HAND = `## Tool: \`notes.add\`

**Version**: 1.0.0

**Purpose and Description**:
Adds a note to the pile.

**Invocation Name**:
\`notes.add\`

**Input Schema (Parameters)**:

| Parameter | Type | Required | Description |
| :--- | :--- | :--- | :--- |
| \`text\` | \`string\` | Yes | What it says. |

**JSON Schema for \`arguments\`**:
\`\`\`json
{ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] }
\`\`\`

**Output Schema (Return Value)**:

On success there is a number.

**JSON Schema for \`data\` (on success)**:
\`\`\`json
{ "type": "object", "properties": { "number": { "type": "integer" } } }
\`\`\`

**Error Handling**:

They come in the usual form.
Common types are:
- \`NoRoomError\`: If the pile is full.
- \`EmptyNoteError\`: If \`text\` is empty.

**Idempotency**:
It is **not idempotent**. Two calls make two notes.

**Usage Examples (for agents)**:

\`\`\`json
{ "tool_name": "notes.add", "arguments": { "text": "Buy coffee" } }
\`\`\`

**Security Considerations**:
- **Errors**: None shows a path.
- **Input**: It is cleaned.
`

test('a document with bold labels is read, each section with what stands on its own line or on the next', () => {
  const tool = one(BY_HAND)
  expect(ids(tool)).toEqual(ALL)
  expect(tool.description?.value).toBe('Adds a note to the pile.')
  expect(tool.invocationName?.value).toBe('notes.add')
  expect(tool.version?.value).toBe('1.0.0')
  expect(tool.outputSchema?.value).toMatchObject({ properties: { number: {} } })
  expect(tool.errors).toMatchObject([
    { type: 'NoRoomError', condition: 'If the pile is full.' },
    { type: 'EmptyNoteError', condition: 'If `text` is empty.' },
  ])
  expect(tool.idempotent?.value).toBe(false)
  expect(tool.examples).toHaveLength(1)
  expect(tool.security?.value).toBe('- **Errors**: None shows a path.\n- **Input**: It is cleaned.')
})

test.each([
  ['a fence of the same length, which ends early', '```'],
  ['a longer fence', '````'],
])('a tool within %s is read, with its places', (_, fence) => {
  const text = `# How to write one\n\nAs an example:\n\n${fence}markdown\n${BY_HAND}${fence}\n\n## 2. More\n\n\`\`\`json\n{}\n\`\`\`\n`
  const tool = one(text)
  expect(ids(tool)).toEqual(ALL)
  expect(tool.location).toEqual({ line: 6, column: 1 })
  expect(tool.security?.value).toContain('It is cleaned.')
  expect(readDocument(text).faults).toEqual([])
})

test('a fence for Markdown beside real tools is an illustration, not a tool', () => {
  const template = `## Template\n\n\`\`\`markdown\n## Tool: \`module.tool\`\n\n**Version**: 1.2.3\n\`\`\`\n`
  expect(one(`${BY_HAND}\n${template}`).headingName?.value).toBe('notes.add')
  expect(readDocument(template).tools).toEqual([])
})

const SECTIONS_BELOW = `
### Purpose

Says hello.

### Parameters

\`\`\`json
{ "type": "object" }
\`\`\`

### Returns

\`\`\`json
{ "type": "null" }
\`\`\`
`

test.each([
  ['## Tool: `greet.hello`', 'greet.hello'],
  ['## Tool: greet.hello', 'greet.hello'],
  ['## Tool `greet.hello`', 'greet.hello'],
  ['# greet.hello', 'greet.hello'],
  ['## `greet.hello`', 'greet.hello'],
  ['## 1. greet.hello', 'greet.hello'],
  ['## 2.3 `greet.hello`', 'greet.hello'],
  ['## Tool 4: `greet.hello`', 'greet.hello'],
  ['## Tool: `Greet Hello`', 'Greet Hello'],
  ['## Tool: say_hello', 'say_hello'],
  ['## [`greet.hello`](#there)', 'greet.hello'],
  ['Tool: `greet.hello`\n---', 'greet.hello'],
  ['greet.hello\n===', 'greet.hello'],
  ['## greet.hello ##', 'greet.hello'],
])('%j opens a tool', (heading, name) => {
  const tool = one(`${heading}\n${SECTIONS_BELOW}`)
  expect(tool.headingName?.value).toBe(name)
  expect(ids(tool)).toEqual(['purpose', 'input', 'output'])
})

test('a heading can give version and title', () => {
  expect(one(`## Tool: \`a.b\` (v1.2.0)\n${SECTIONS_BELOW}`).version?.value).toBe('1.2.0')
  expect(one(`## a.b — Say hello\n${SECTIONS_BELOW}`).title?.value).toBe('Say hello')
  const both = one(`## a.b v2.0.0-rc.1: Say hello\n${SECTIONS_BELOW}`)
  expect([both.headingName?.value, both.version?.value, both.title?.value]).toEqual(['a.b', '2.0.0-rc.1', 'Say hello'])
})

test('a heading with a title opens a tool that its section 2 names', () => {
  const tool = one(
    `# Tools\n\nAll of them.\n\n## Say hello\n${SECTIONS_BELOW}\n### Invocation Name\n\n\`greet.hello\`\n`,
  )
  expect(tool.title?.value).toBe('Say hello')
  expect(tool.headingName).toBeUndefined()
  expect(tool.invocationName?.value).toBe('greet.hello')
  expect(tool.location.line).toBe(5)
})

test('a document of one tool needs no heading for it', () => {
  const tool = one('**Version**: 1.0.0\n\n**Purpose**: Says hello.\n\n**Invocation Name**: `greet.hello`\n')
  expect([tool.version?.value, tool.description?.value, tool.invocationName?.value]).toEqual([
    '1.0.0',
    'Says hello.',
    'greet.hello',
  ])
  expect(ids(one(`# Tool specification\n${SECTIONS_BELOW.replaceAll('###', '##')}`))).toEqual([
    'purpose',
    'input',
    'output',
  ])
})

test('sections can stand on the level of the tool itself', () => {
  const tool = one(
    `# greet.hello\n${SECTIONS_BELOW.replaceAll('###', '#')}\n# Security\n\nNone.\n\n# Appendix\n\nMore.\n`,
  )
  expect(ids(tool)).toEqual(['purpose', 'input', 'output', 'security'])
  expect(tool.security?.value).toBe('None.')
})

test.each([
  ['### 3. Input Schema (Parameters)', 'input'],
  ['### 3) Input', 'input'],
  ['### Section 3', 'input'],
  ['### 3.', 'input'],
  ['### 3. What it takes', 'input'],
  ['### INPUT PARAMETERS', 'input'],
  ['### Arguments:', 'input'],
  ['### Return Value', 'output'],
  ['### Returns', 'output'],
  ['### Output', 'output'],
  ['### Errors', 'errors'],
  ['### Error Conditions', 'errors'],
  ['### Exceptions', 'errors'],
  ['### Idempotent?', 'idempotency'],
  ['### Examples', 'examples'],
  ['### Usage', 'examples'],
  ['### **Security**', 'security'],
  ['### Security & Privacy', 'security'],
  ['### Description', 'purpose'],
  ['### Name', 'name'],
  ['Tool Name\n---', 'name'],
  ['**Parameters**', 'input'],
  ['**Return value:**', 'output'],
  ['**5. Error Handling**:', 'errors'],
])('%j opens a section', (heading, id) => {
  expect(ids(one(`# Tool: \`a.b\`\n\n${heading}\n\nWords.\n`))).toEqual([id])
})

test.each([
  '### Notes',
  '### Navigation Links',
  '### 9. Extras',
  '**Important**: read this',
  '### Error Handling Flow',
])('%j opens no section', (heading) => {
  expect(ids(one(`# Tool: \`a.b\`\n\n### Security\n\nNone.\n\n${heading}\n\nWords.\n`))).toEqual(['security'])
})

test('a number is no section where the other numbers are those of something else', () => {
  const tool = one('# Tool: `a.b`\n\n## 1. Name\n\n`a.b`\n\n## 2. Limits\n\nFew.\n\n## 3. Errors\n\nNone.\n')
  expect(ids(tool)).toEqual(['name', 'errors'])
})

test('a heading that is no section ends its section, and one of the level of the tool ends the tool', () => {
  const tool = one(
    '## Tool: `a.b`\n\n### Security\n\nNone.\n\n### See also\n\nElsewhere.\n\n## Security\n\nOf the module.\n\n## Navigation Links\n\n- **Parent**: [up](../README.md)\n',
  )
  expect(ids(tool)).toEqual(['security'])
  expect(tool.security?.value).toBe('None.')
})

test('many tools in a file are read in their order, and prose around them is not', () => {
  const text = `# Guide\n\n## Overview\n\nWords.\n\n## a.one\n${SECTIONS_BELOW}\n## Between\n\nWords.\n\n## a.two\n${SECTIONS_BELOW}\n## Appendix A\n\n### Examples\n\nNone.\n`
  expect(readDocument(text).tools.map(({ headingName }) => headingName?.value)).toEqual(['a.one', 'a.two'])
})

test.each([
  ['a text without a tool', '# Readme\n\n## Examples\n\nNone.\n\n## Security\n\nNone.\n'],
  ['headings that are file names', '# package.json\n\nWords.\n\n## README.md\n\nWords.\n'],
  [
    'a list of what sections there are',
    '# How\n\n1. **Purpose**\n   - words\n2. **Invocation Name**\n   - words\n3. **Input Schema**\n   - words\n',
  ],
  ['nothing', ''],
  ['blanks', ' \n\t\n'],
])('%s has no tool', (_, text) => {
  expect(readDocument(text)).toEqual({ tools: [], faults: [] })
})

test.each([
  ['**Version**: 1.2.3', '1.2.3'],
  ['**Version:** 1.2.3', '1.2.3'],
  ['- **Version**: v1.2.3', '1.2.3'],
  ['Version 1.2.3', '1.2.3'],
  ['Version: 1.2.3', '1.2.3'],
  ['**Version**: `1.2.3` (stable)', '1.2.3'],
  ['| Property | Value |\n|---|---|\n| Version | 1.2.3 |', '1.2.3'],
  ['**Version** — 1.2.3', '1.2.3'],
  ['**Version**: one point two', 'one point two'],
])('%j gives the version, and is no part of the description', (said, version) => {
  const tool = one(`## Tool: \`a.b\`\n\n### Description\n\n${said}\n\nDoes it.\n`)
  expect(tool.version?.value).toBe(version)
  expect(tool.description?.value).toBe('Does it.')
})

test('labels on the lines of one paragraph are each read', () => {
  const tool = one(
    '**Invocation Name**: `a.b`\n**Version**: 1.0.0\n**Purpose**: Does it.\n**Idempotent**: no\n**Title**: *It*\n',
  )
  expect([tool.invocationName, tool.version, tool.description, tool.idempotent].map((said) => said?.value)).toEqual([
    'a.b',
    '1.0.0',
    'Does it.',
    false,
  ])
})

test('sections can be the items of a list', () => {
  const tool = one(
    '# Tools\n\n- **Invocation Name**: `a.b`\n- **Version**: 1.0.0\n- **Purpose**: Does it.\n- **Security**: None.\n',
  )
  expect([tool.invocationName?.value, tool.version?.value, tool.description?.value, tool.security?.value]).toEqual([
    'a.b',
    '1.0.0',
    'Does it.',
    'None.',
  ])
})

test('facts are read from bullets and labels, in the units they are given in', () => {
  const facts = [
    '- **Destructive**: Yes',
    '- **Timeout**: 2 minutes',
    '- **Rate limit**: 5 requests per second',
    '- **Cache**: 1 h',
    '- **Task**: required',
  ]
  const tool = one(`## Tool: \`a.b\`\n\n### Purpose\n\nDoes it.\n\n${facts.join('\n')}\n`)
  expect(tool).toMatchObject({
    destructive: { value: true },
    timeout: { value: 120_000 },
    limit: { value: { calls: 5, per_ms: 1000 } },
    cacheTtl: { value: 3600 },
    task: { value: 'required' },
    description: { value: 'Does it.' },
  })
  expect(one('## Tool: `a.b`\n\n**Read-only**: yes\n\n**Rate limit**: none\n')).toMatchObject({
    destructive: { value: false },
    limit: undefined,
  })
})

test('where a table gives the facts, a list in the description is only a list', () => {
  const list = '- Title: None\n- Timeout: 9 s'
  const tool = one(
    `## Tool: \`a.b\`\n\n### Purpose\n\n${list}\n\n| Property | Value |\n|-|-|\n| Changes state | no |\n`,
  )
  expect([tool.title, tool.timeout, tool.description?.value]).toEqual([undefined, undefined, list])
  expect(one(`## Tool: \`a.b\`\n\n### Purpose\n\n${list}\n`).timeout?.value).toBe(9000)
})

test('what stands around facts is the description, and comments are not', () => {
  const tool = one(
    '## Tool: `a.b`\n\n### Purpose\n\nOne.\n\n| Property | Value |\n|-|-|\n| Timeout | 5 s |\n\n<!-- hidden -->\n\nTwo.\n',
  )
  expect(tool.description?.value).toBe('One.\n\nTwo.')
})

test.each([
  ['- `AError`: If a.\n- `BError` - If b.', ['AError', 'If a.'], ['BError', 'If b.']],
  ['- **AError**: If a.\n- **BError:** If b.', ['AError', 'If a.'], ['BError', 'If b.']],
  ['- AError: If a.\n- BError — If b.', ['AError', 'If a.'], ['BError', 'If b.']],
  [
    '| Type | Code | Description |\n|-|-|-|\n| `AError` | 4 | If a. |\n| BError | 5 | If b. |',
    ['AError', 'If a.'],
    ['BError', 'If b.'],
  ],
  ['#### `AError`\n\nIf a.\n\n#### BError\n\nIf b.', ['AError', 'If a.'], ['BError', 'If b.']],
  ['1. `AError`: If a.\n2. `BError`: If b.', ['AError', 'If a.'], ['BError', 'If b.']],
  ['**AError**: If a.\n\n**BError**: If b.', ['AError', 'If a.'], ['BError', 'If b.']],
])('errors are read from %j', (list, first, second) => {
  const { errors } = one(`## Tool: \`a.b\`\n\n### Errors\n\n${list}\n\n### Security\n\nNone.\n`)
  expect(errors.map(({ type, condition }) => [type, condition])).toEqual([first, second])
})

test.each([
  ['This tool is **idempotent**.', true],
  ['This tool is **not idempotent**: it counts.', false],
  ['Idempotent: Yes', true],
  ['Idempotent: **No**', false],
  ['It is non-idempotent.', false],
  ['Yes.', true],
  ['No, each call adds a line.', false],
  ["It isn't really idempotent.", false],
  ['Idempotent, unlike the other, which is not idempotent.', true],
  ['Nobody knows.', undefined],
])('%j says whether it is idempotent', (text, value) => {
  expect(one(`## Tool: \`a.b\`\n\n### Idempotency\n\n${text}\n`).idempotent?.value).toBe(value)
})

test('examples can be calls on the wire or bare arguments, and a result follows its call', () => {
  const blocks = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a.b","arguments":{"n":1}}}',
    '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"m":2}}}',
    '{"name":"a.b","arguments":{"n":2}}',
    '{"status":"success","data":{"m":4}}',
    '{"n":3}',
    '{"m":6}',
  ]
  const text = `## Tool: \`a.b\`\n\n### Examples\n\n${blocks.map((block) => `\`\`\`json\n${block}\n\`\`\``).join('\n\n')}\n`
  const { examples } = one(text)
  expect(examples.map(({ call, result }) => [call.value, result?.value])).toEqual([
    [{ tool_name: 'a.b', arguments: { n: 1 } }, { m: 2 }],
    [
      { tool_name: 'a.b', arguments: { n: 2 } },
      { status: 'success', data: { m: 4 } },
    ],
    [{ n: 3 }, { m: 6 }],
  ])
  expect(examples[0]?.call.locationOf(['arguments', 'n'])).toEqual({ line: 6, column: 87 })
  expect(examples[0]?.result?.locationOf(['m'])).toEqual({ line: 10, column: 73 })
})

test('of two results after a call the first is its result', () => {
  const blocks = [
    '{"tool_name":"a.b","arguments":{}}',
    '{"status":"success","data":{}}',
    '{"status":"failure","error":{}}',
  ]
  const { examples } = one(
    `## Tool: \`a.b\`\n\n### Examples\n\n${blocks.map((block) => `\`\`\`json\n${block}\n\`\`\``).join('\n\n')}\n`,
  )
  expect(examples.map(({ result }) => result?.value)).toEqual([{ status: 'success', data: {} }])
})

test('labels tell calls from results, and open no sections within the examples', () => {
  const text = `## Tool: \`a.b\`

**Parameters**: none

**Usage Examples**:

**Example 1: Twice**

**Input**:

\`\`\`json
{ "n": 1 }
\`\`\`

**Input**:

\`\`\`json
{ "n": 2 }
\`\`\`

**Output**:

\`\`\`json
{ "m": 2 }
\`\`\`

**Security**: none
`
  const tool = one(text)
  expect(ids(tool)).toEqual(['input', 'examples', 'security'])
  expect(tool.examples.map(({ title, call, result }) => [title, call.value, result?.value])).toEqual([
    ['Twice', { n: 1 }, undefined],
    [undefined, { n: 2 }, { m: 2 }],
  ])
})

/** One tool whose input section holds this. */
const input = (text: string): string => `## Tool: \`a.b\`\n\n### Input\n\n${text}\n\n### Security\n\nNone.\n`

test.each([
  ['tildes', '~~~json\n{ "type": "object" }\n~~~', { line: 6, column: 11 }],
  ['four backticks', '````json\n{ "type": "object" }\n````', { line: 6, column: 11 }],
  ['no language', '```\n{ "type": "object" }\n```', { line: 6, column: 11 }],
  ['jsonc', '```jsonc\n{ "type": "object" }\n```', { line: 6, column: 11 }],
  ['json5 and a title', '``` JSON5 title="x"\n{ "type": "object" }\n```', { line: 6, column: 11 }],
  ['an indented fence', '   ```json\n   { "type": "object" }\n   ```', { line: 6, column: 14 }],
  ['a fence in a list', '- The schema:\n\n  ```json\n  { "type": "object" }\n  ```', { line: 8, column: 13 }],
  ['a fence in a quote', '> ```json\n> { "type": "object" }\n> ```', { line: 6, column: 13 }],
  ['tabs', '```json\n{\n\t"type": "object"\n}\n```', { line: 7, column: 10 }],
  ['indented code', '    { "type": "object" }', { line: 5, column: 15 }],
])('a schema in %s is read, with its places', (_, text, place) => {
  for (const lineEnd of ['\n', '\r\n']) {
    const { inputSchema } = one(input(text).replaceAll('\n', lineEnd))
    expect(inputSchema?.value).toEqual({ type: 'object' })
    expect(inputSchema?.locationOf(['type'])).toEqual(place)
  }
})

test('comments and trailing commas are forgiven and told', () => {
  const { inputSchema } = one(
    input('```json\n{\n  // what it is\n  "type": "object", /* so */\n  "required": ["a",],\n}\n```'),
  )
  expect(inputSchema?.value).toEqual({ type: 'object', required: ['a'] })
  expect(inputSchema?.faults).toEqual([
    { location: { line: 7, column: 3 }, message: 'JSON has no comments.', tolerated: true },
    { location: { line: 8, column: 21 }, message: 'JSON has no comments.', tolerated: true },
    { location: { line: 9, column: 19 }, message: 'JSON has no comma after the last entry.', tolerated: true },
    { location: { line: 9, column: 21 }, message: 'JSON has no comma after the last entry.', tolerated: true },
  ])
})

test.each([
  ['no end', '{ "type": "object"', 'expected'],
  ['single quotes', "{ 'type': 'object' }", 'double quotes'],
  ['a bare name', '{ type: "object" }', 'double quotes'],
  ['a line break in a string', '{ "a": "one\ntwo" }', '\\n'],
  ['words', 'see below', 'double quotes'],
  ['nothing in it', '', 'empty'],
  ['100,000 brackets', '['.repeat(100_000), 'deep'],
  ['100,000 brackets after a comment with a quote', `/* " */ ${'[{"a":'.repeat(50_000)}`, 'deep'],
])('a block with %s is no JSON, and says why', (_, text, why) => {
  const { inputSchema } = one(input(`\`\`\`json\n${text}\n\`\`\``))
  expect(inputSchema?.value).toBeUndefined()
  expect(inputSchema?.faults[0]?.tolerated).toBe(false)
  expect(inputSchema?.faults.map(({ message }) => message).join()).toContain(why)
  expect(inputSchema?.locationOf(['a', 0]).line).toBeGreaterThan(4)
})

test('a property called __proto__ is a property like any other', () => {
  for (const comma of ['', ',']) {
    const { inputSchema } = one(input(`\`\`\`json\n{ "__proto__": { "a": 1 }${comma} }\n\`\`\``))
    expect(Object.keys(inputSchema?.value ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(inputSchema?.value)).toBe(Object.prototype)
  }
})

test('the schema is distinguished from the examples beside it', () => {
  const example = '**Example output**:\n\n```json\n{ "a": 1 }\n```'
  const schema = '**JSON Schema**:\n\n```json\n{ "type": "object" }\n```'
  expect(one(input(`${example}\n\n${schema}`)).inputSchema?.value).toEqual({ type: 'object' })
  expect(one(input('```json\n{ "a": 1 }\n```\n\n```json\n{ "properties": {} }\n```')).inputSchema?.value).toEqual({
    properties: {},
  })
  expect(one(input(example)).inputSchema).toBeUndefined()
})

test('front matter, a byte order mark, comments with headings in them and zero bytes are taken as they are meant', () => {
  const text =
    '\uFEFF---\ntitle: Tools\n---\n\n<!--\n## Tool: `no.tool`\n-->\n\n## Tool: `a.b`\n\n### Security\n\nNone\0.\n'
  const tool = one(text)
  expect(tool.headingName?.value).toBe('a.b')
  expect(tool.location).toEqual({ line: 9, column: 1 })
  expect(tool.security?.value).toBe('None\uFFFD.')
})

test('lines that end as on an old Macintosh are lines', () => {
  expect(one('## Tool: `a.b`\r\r### Security\r\rNone.\r').security).toEqual({
    value: 'None.',
    location: { line: 5, column: 1 },
  })
})

test.each([
  ['```json\n{ "type": "object"', '```'],
  ['~~~~\n{ "type": "object"\n~~~', '~~~~'],
  ['- words\n\n  ```json\n  { "type":', '```'],
])('a fence that is never closed is reported: %j', (fence, marks) => {
  const { faults } = readDocument(`## Tool: \`a.b\`\n\n### Input\n\n${fence}`)
  expect(faults).toMatchObject([{ rule: 'open-fence', message: expect.stringContaining(`Close it with ${marks}.`) }])
  expect(faults[0]?.location.line).toBe(fence.startsWith('-') ? 7 : 5)
  expect(
    readDocument(`## Tool: \`a.b\`\n\n### Input\n\n${fence}\n${fence.startsWith('-') ? '  ' : ''}${marks}\n\n`).faults,
  ).toEqual([])
})

test('a repeated section is there twice, and one with nothing below it is empty', () => {
  const { sections } = one('## Tool: `a.b`\n\n### Security\n\n### Errors\n\nNone.\n\n### Security\n\nNone.\n')
  expect(sections.map(({ id, empty }) => [id, empty])).toEqual([
    ['security', true],
    ['errors', false],
    ['security', false],
  ])
})

test('parts that are too large or too deep are reported and not read', () => {
  const deep = `## Tool: \`a.b\`\n\n### Security\n\n${'> '.repeat(10_000)}deep\n\n### Errors\n\n- \`AError\`: If a.\n`
  const document = readDocument(deep)
  expect(document.faults).toMatchObject([{ rule: 'unreadable', location: { line: 5, column: 1 } }])
  expect(document.tools[0]?.errors).toHaveLength(1)
  expect(readDocument('a'.repeat(MAX_DOCUMENT + 1)).faults).toMatchObject([{ rule: 'unreadable' }])
})

test('pictures in headings and before errors are not in the way', () => {
  const names = [
    'Purpose',
    'Invocation Name',
    'Input',
    'Output',
    'Error Handling',
    'Idempotency',
    'Examples',
    'Security',
  ]
  const pictures = ['🎯', '🏷️', '📥', '📤', '⚠️', '🔁', '👩‍💻', '🔒']
  const headed = (heading: (name: string, index: number) => string): string =>
    names.map((name, index) => `### ${heading(name, index)}\n\n- ⚠️ \`SoldOutError\`: None left.\n`).join('\n')
  for (const heading of [
    (name: string, index: number) => `${pictures[index]} ${index + 1}. ${name}`,
    (name: string, index: number) => `${index + 1}\ufe0f\u20e3 ${name}`,
    (name: string, index: number) => `${index + 1}. ${name} ${pictures[index]}`,
  ]) {
    const tool = one(`## 🛠 Tool: \`shop.order\`\n\n${headed(heading)}`)
    expect(ids(tool)).toEqual(ALL)
    expect(tool.headingName?.value).toBe('shop.order')
    expect(tool.errors).toMatchObject([{ type: 'SoldOutError', condition: 'None left.' }])
  }
})

test.each([
  ['No side effects, so the tool is idempotent.', true],
  ['No. Each call adds a line.', false],
  ['No each call adds a line', false],
  ['N/A', undefined],
  ['It is safe to retry.', true],
  ['It is not safe to retry.', false],
  ['Repeated calls have no further effect.', true],
])('%j says whether it is idempotent: %j', (words, idempotent) => {
  expect(one(`## Tool: \`a.b\`\n\n### Idempotency\n\n${words}\n`).idempotent?.value).toBe(idempotent)
})

test('responses below headings of their own belong to the call above them', () => {
  const block = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`
  const call = block({ tool_name: 'a.b', arguments: { x: 1 } })
  const { examples } = one(
    `## Tool: \`a.b\`\n\n### Usage Examples\n\n#### 7.1 Call\n\n${call}\n#### 7.2 Success response\n\n${block({ y: 1 })}
#### 7.3 Failure response\n\n${block({ status: 'failure', error: { error_type: 'AError', error_message: 'a' } })}
#### Example 2: Failure\n\n${block({ x: 2 })}`,
  )
  expect(examples.map(({ call, result, otherResults }) => [call.value, result?.value, otherResults.length])).toEqual([
    [{ tool_name: 'a.b', arguments: { x: 1 } }, { y: 1 }, 1],
    [{ x: 2 }, undefined, 0],
  ])
})

test('a remark beside the errors is none, and a table may give their status first', () => {
  const errors = (text: string): string[] =>
    one(`## Tool: \`a.b\`\n\n### Error Handling\n\n${text}\n`).errors.map(
      ({ type, condition }) => `${type}: ${condition}`,
    )
  expect(errors('Throws:\n\n- `AError`: If a.\n\n**Note**: It is not tried again.')).toEqual(['AError: If a.'])
  const table = '| Status | Error type | Description |\n|---|---|---|\n| 409 | `AError` | If a. |'
  expect(errors(table)).toEqual(['AError: If a.'])
})

test('a place in a block stands within its line, also where a tab indents it', () => {
  const line = '\t"a": x'
  const block = one(`## Tool: \`a.b\`\n\n### Input\n\n- \`\`\`json\n${line}\n  \`\`\`\n`).inputSchema
  expect(block?.faults.length).toBeGreaterThan(0)
  for (const { location } of block?.faults ?? []) expect(location.column).toBeLessThanOrEqual(line.length + 1)
})
