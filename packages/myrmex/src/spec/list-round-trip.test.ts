/** Lists of a hand-written document are still lists after its definitions were imported and rendered. */

import { parseMarkdown } from '@myrmex/testing/spec/parse-markdown'
import type { Heading, List } from 'mdast'
import { expect, test } from 'vitest'
import { definitionOf } from './definition.ts'
import { wordsOf } from './markdown/inline.ts'
import { writeText } from './markdown/text.ts'
import { readDocument } from './read.ts'
import { renderDocument } from './render.ts'

/** A document about documents: the tool is inside a fence, which contains fences of the same length. */
const GUIDE = `# Usage examples

A module describes its tools as follows:

\`\`\`markdown
## Tool: \`archive.fetch_record\`

**Version**: 1.0.0

**Purpose and Description**:
Fetches a record:

- **Fast**: from memory.
- from *disk* otherwise.

**Invocation Name**:
\`archive.fetch_record\`

**Input Schema (Parameters)**:

| Parameter Name | Type | Required | Description |
| :--- | :--- | :--- | :--- |
| \`key\` | \`string\` | Yes | Which record. |

**JSON Schema for \`arguments\`**:
\`\`\`json
{"type": "object", "properties": {"key": {"type": "string", "description": "Which record."}}, "required": ["key"]}
\`\`\`

**Output Schema (Return Value)**:

**JSON Schema for \`data\` (on success)**:
\`\`\`json
{"type": "object", "properties": {"text": {"type": "string", "description": "The record."}}, "required": ["text"]}
\`\`\`

**Error Handling**:

Common \`error_type\` values for this tool include:
- \`RecordNotFound\`: If \`key\` does not exist.
- \`PermissionError\`: If the record is *not* yours (see "Access").
- \`RecordTooLarge\`: If it has more than 1 MB.

**Idempotency**:
This tool is **idempotent**.

**Usage Examples**:

\`\`\`json
{"tool_name": "archive.fetch_record", "arguments": {"key": "a/b"}}
\`\`\`

**Security Considerations**:
- **Path Traversal**: The tool MUST validate \`key\` (such as \`../../secret\`).
- **Rate limit**: Callers could read everything.
  1. Limit them.
  2. Log them.
- **Information Disclosure**: Records may be private.
\`\`\`

## Pitfalls

- **Issue**: none.
`

const bodyOf = (markdown: string) => {
  const [tool] = readDocument(markdown).tools
  if (tool === undefined) throw new Error('no tool')
  return definitionOf(tool).body
}

const itemsBelow = (markdown: string, heading: string): string[] => {
  const { children } = parseMarkdown(markdown)
  const from = children.findIndex((node) => node.type === 'heading' && wordsOf((node as Heading).children) === heading)
  const list = children.slice(from).find((node): node is List => node.type === 'list')
  return (list?.children ?? []).map(({ position }) =>
    markdown.slice(position?.start.offset, position?.end.offset).replace(/^\s*[-*] /, ''),
  )
}

test('the errors and the security considerations are lists in their order, with bold words where they were', () => {
  const body = bodyOf(GUIDE)
  const rendered = renderDocument([body])
  expect(itemsBelow(rendered, '5. Error Handling').map((item) => item.split('\n')[0])).toEqual([
    '`RecordNotFound`: If `key` does not exist.',
    '`PermissionError`: If the record is *not* yours (see "Access").',
    '`RecordTooLarge`: If it has more than 1 MB.',
  ])
  expect(itemsBelow(rendered, '8. Security Considerations')).toEqual([
    '**Path Traversal**: The tool MUST validate `key` (such as `../../secret`).',
    '**Rate limit**: Callers could read everything.\n  1. Limit them.\n  2. Log them.',
    '**Information Disclosure**: Records may be private.',
  ])
  expect(rendered).toContain('Fetches a record:\n\n- **Fast**: from memory.\n- from *disk* otherwise.')
  expect(bodyOf(rendered)).toEqual({ ...body })
})

test.each([
  '- **Version**: 9.9.9',
  '- **Version**: 9.9.9\n- **Timeout**: 5 s',
  '- **Purpose**: none\n- **Name**: `other.tool`',
  '**Security**: none',
  '**Note**',
])('a text of labels that a reader would take for facts or sections is escaped: %j', (text) => {
  expect(writeText(text)).not.toBe(text)
  const body = { ...bodyOf(GUIDE), description: text, security: text }
  expect(bodyOf(renderDocument([body]))).toEqual(body)
})
