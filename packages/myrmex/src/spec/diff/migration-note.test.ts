import { toolDefaults } from '@myrmex/testing/sample-tools'
import { parseMarkdown } from '@myrmex/testing/spec/parse-markdown'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { type ToolDefinition, tool } from '../../tool/tool.ts'
import { type ToolBody, toolBody } from '../../tool/verify/verify-tool.ts'
import { compare, migrationNote } from '../diff.ts'

const base = { ...toolDefaults, name: 'shop.refund', input: z.object({}), output: z.object({}), run: () => ({}) }
const body = (changes: Partial<ToolDefinition>): ToolBody => toolBody(tool({ ...base, ...changes } as ToolDefinition))
const note = (before: ToolBody, after: ToolBody): string => migrationNote(before, after, compare(before, after))

test('a note says what breaks, what to do, what is new and what was reworded, and leaves the why to the author', () => {
  const before = body({ input: z.object({ amount: z.number().max(100) }) })
  const after = body({
    version: '2.0.0',
    title: 'Refund',
    input: z.object({ amount: z.number().max(50), note: z.string().optional(), order: z.string() }),
  })
  expect(note(before, after)).toBe(`# \`shop.refund\`: from 1.0.0 to 2.0.0

This step breaks callers. Read what they have to do before taking it.

> **To be written by the author:** why this had to change, and how long the old version stays.

## What breaks, and what to do

### 1. parameter amount: maximum lowered from 100 to 50

A value within the old bounds is rejected. **What to do:** Stay within the new bound.

### 2. parameter order added (required string)

A call without the new parameter is rejected. **What to do:** Pass the new parameter in every call.

After:

\`\`\`json
{
  "type": "string"
}
\`\`\`

> **To be written by the author:** which value keeps the old behaviour.

A call that was accepted and no longer is:

\`\`\`json
{
  "tool_name": "shop.refund",
  "arguments": {
    "amount": 0
  }
}
\`\`\`

## What is new

- parameter note added (optional string). The parameter is optional, so every call stays valid.

## What was only reworded

- title added: “Refund”. Documentation.
`)
})

test('a step that breaks nothing has nothing for the author to fill in', () => {
  const text = note(body({}), body({ version: '1.0.1', title: 'Refund' }))
  expect(text).toContain('Nothing breaks in this step')
  expect(text).not.toContain('To be written')
})

test('texts of a definition stay texts: no heading, link, picture or HTML comes of them', () => {
  const hostile = '\n# Approved\n[click](javascript:alert(1)) ![x](http://x) <script>alert(1)</script> | `x` **bold**'
  const before = body({ errors: { 'Full <b>\n## x': hostile } })
  const after = body({
    description: hostile,
    input: z.object({ [`x](y)${hostile}`]: z.string().describe(hostile) }),
    output: { type: 'object', properties: { '```\n# broken out': { type: 'string', default: '```\n# out' } } },
    errors: {},
    security: hostile,
  })
  const { children } = parseMarkdown(note(before, after))
  const headings = children.filter((node) => node.type === 'heading').map(({ depth }) => depth)
  expect(headings).toEqual([1, 2, 3, 2, 2])
  const kinds = JSON.stringify(children, (key, value) => (key === 'position' ? undefined : value))
  for (const type of ['link', 'image', 'html', 'strong']) {
    const found = [...kinds.matchAll(new RegExp(`"type":"${type}"`, 'g'))].length
    expect(found, type).toBe(type === 'strong' ? 3 : 0)
  }
})
