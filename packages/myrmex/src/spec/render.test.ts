import { toolDefaults } from '@myrmex/testing/sample-tools'
import { parseMarkdown } from '@myrmex/testing/spec/parse-markdown'
import type { Heading, Table } from 'mdast'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { tool } from '../tool/tool.ts'
import { toolBody } from '../tool/verify/verify-tool.ts'
import { renderDocument } from './render.ts'

const order = tool({
  ...toolDefaults,
  name: 'shop.order',
  title: 'Order | now',
  description: 'Orders goods.\n\n# Not a heading\n| not | a table |',
  destructive: true,
  idempotent: false,
  limit: { calls: 5, per_ms: 1000 },
  errors: { SoldOut: 'None left | or\nnot enough.' },
  input: z.object({
    lines: z
      .array(z.object({ sku: z.string().describe('`code` | or *name*'), count: z.int().min(1).default(1) }))
      .describe('What,\nand how much'),
    ship: z.enum(['air', 'a|b']).nullable().optional(),
    to: z.object({ city: z.string(), deep: z.object({ deeper: z.object({ deepest: z.string() }) }) }).optional(),
  }),
  output: z.object({ id: z.string().meta({ examples: ['o-1'] }), total: z.number() }),
  examples: [
    { title: 'A pipe | in a title', arguments: { lines: [{ sku: 'a', count: 2 }] }, data: { id: 'o-1', total: 4 } },
    { arguments: { lines: [] } },
    { title: 'Sold out', arguments: { lines: [] }, error: 'SoldOut' },
  ],
  run: () => ({ id: 'o-1', total: 4 }),
})

const written = renderDocument([toolBody(order)])
const { children } = parseMarkdown(written)
const headings = children.filter((node): node is Heading => node.type === 'heading')
const source = (node: { position?: { start: { offset?: number }; end: { offset?: number } } | undefined }): string =>
  written.slice(node.position?.start.offset, node.position?.end.offset)

test('the eight sections of the specification are in order, and no text becomes a heading', () => {
  expect(headings.filter(({ depth }) => depth <= 3).map(source)).toEqual([
    '# Tool specification: shop',
    '## Tool: `shop.order`',
    '### 1. Tool Purpose and Description',
    '### 2. Invocation Name',
    '### 3. Input Schema (Parameters)',
    '### 4. Output Schema (Return Value)',
    '### 5. Error Handling',
    '### 6. Idempotency',
    '### 7. Usage Examples',
    '### 8. Security Considerations',
    '## Errors of every tool',
  ])
})

test('the version is the first thing below the heading of a tool', () => {
  expect(written).toContain('## Tool: `shop.order`\n\n**Version**: 1.0.0\n\n### 1. Tool Purpose and Description\n')
})

test('tables survive pipes and newlines: every row has as many cells as its head', () => {
  const tables = children.filter((node): node is Table => node.type === 'table')
  expect(tables).toHaveLength(4)
  for (const { children: rows } of tables) {
    for (const row of rows) expect(row.children, source(row)).toHaveLength(rows[0]?.children.length as number)
  }
  expect(written).toContain('- `SoldOut`: None left &#124; or<br>not enough.')
  expect(written).toContain('| `lines` | `array of object` | Yes | What,<br>and how much | |')
  expect(written).toContain('| `ship` | `"air" or "a\\|b" or null` | No |')
})

test('fields inside others have rows of their own, three levels deep', () => {
  const names = [...written.matchAll(/^\| `([\w.[\]]+)` \| `/gm)].map(([, name]) => name)
  expect(names).toEqual([
    ...['lines', 'lines[].sku', 'lines[].count', 'ship', 'to', 'to.city', 'to.deep', 'to.deep.deeper'],
    ...['id', 'total'],
  ])
})

test('each example is a call and what comes of it, and only promises are stated as such', () => {
  const section = written.slice(written.indexOf('### 7.'), written.indexOf('### 8.'))
  expect([...section.matchAll(/^(?:####.*|\*\*(?:Result|Sample).*)$/gm)].map(([line]) => line)).toEqual([
    '#### Example 1: A pipe &#124; in a title',
    '**Result**:',
    '#### Example 2',
    '**Sample result (made up from the schema; values differ)**:',
    '#### Example 3: Sold out',
    '**Sample result (made up from the schema; values differ)**:',
  ])
  const blocks = [...section.matchAll(/```json\n(.*?)\n```/gs)].map(([, json]) => JSON.parse(json as string))
  expect(blocks[1]).toEqual({ status: 'success', data: { id: 'o-1', total: 4 }, error: null, explanation: null })
  expect(blocks[3].data).toEqual({ id: 'o-1', total: 19.99 })
  expect(blocks[5].error.error_type).toBe('SoldOut')
})

test('where no example fails, the document shows how a failure looks', () => {
  const { examples, ...rest } = toolBody(order)
  const document = renderDocument([{ ...rest, examples: examples.slice(0, 1) } as ReturnType<typeof toolBody>])
  expect(document).toContain('#### Any failure')
  expect(written).not.toContain('#### Any failure')
})

test('it is the same to the byte in whatever order the definitions come, and links to each of them', () => {
  const other = toolBody(
    tool({ ...toolDefaults, name: 'shop.a', input: z.object({}), output: z.null(), run: () => null }),
  )
  const newer = { ...toolBody(order), version: '1.10.0' }
  const older = { ...toolBody(order), version: '1.9.0' }
  const all = [newer, other, older]
  const document = renderDocument(all)
  expect(renderDocument([...all].reverse())).toBe(document)
  expect([...document.matchAll(/^## .*$/gm)].map(([line]) => line)).toEqual([
    '## Tool: `shop.a`',
    '## Tool: `shop.order` (1.10.0)',
    '## Tool: `shop.order` (1.9.0)',
    '## Errors of every tool',
  ])
  expect([...document.matchAll(/\]\((#tool-[^)]+)\)/g)].map(([, anchor]) => anchor)).toEqual([
    '#tool-shopa',
    '#tool-shoporder-1100',
    '#tool-shoporder-190',
  ])
})

test('a tool on its way out says so where it is seen first', () => {
  const document = renderDocument([{ ...toolBody(order), deprecatedIn: '1.0.0', replacedBy: 'shop.buy' }])
  expect(document).toContain('Order &#124; now (deprecated) |')
  expect(document).toContain('| Deprecated in | 1.0.0 |\n| Replaced by | `shop.buy` |')
})

test('what a server elsewhere wrote cannot act on a terminal, hide, or point a link elsewhere', () => {
  const { outputSchema, ...body } = toolBody(order)
  const hostile = {
    ...body,
    name: 'cafe\u0301|x',
    description: 'a\u001b]0;b\u0007 \u202ec\u009b31m',
    inputSchema: { type: 'object', properties: { 'x\u001b': { type: 'string', default: '\u202e' } } },
    outputSchema: { type: 'object' },
    examples: [],
  } as ReturnType<typeof toolBody>
  const document = renderDocument([hostile], { server: 'evil\u001b[2J' })
  expect(document).not.toMatch(/[^\P{C}\n]/u)
  expect(document).toContain('a\\u{1b}]0;b\\u{7} \\u{202e}c\\u{9b}31m')
  expect(document).toContain('(#tool-cafe\u0301x)')
  expect(renderDocument([{ ...hostile, inputSchema: { type: 'object' } }])).toContain('The schema names no parameters.')
})

test('a long first sentence is cut between characters', () => {
  const document = renderDocument([{ ...toolBody(order), title: undefined, description: '😀'.repeat(99) } as never])
  expect(document.isWellFormed()).toBe(true)
})

test('what a server elsewhere says nothing of is not made up', () => {
  const document = renderDocument([{ ...toolBody(order), errors: {}, examples: [] }], { server: 'other 1.0' })
  expect(document).not.toContain('SchemaError')
  expect(document).not.toContain('idempotencyKey')
  expect(document).toContain('Made from what the server other 1.0 lists.')
})
