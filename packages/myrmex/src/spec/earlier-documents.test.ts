/** Documents that earlier versions of Myrmex rendered are still read without loss. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import { definitionOf } from './definition.ts'
import { lint } from './lint.ts'
import { readDocument } from './read.ts'

/** The definition that the document was rendered from. */
const sell: ToolBody = {
  name: 'shop.sell',
  version: '1.4.2',
  title: 'Sell | now',
  description: 'Sells goods.\n\nVersion 2.0.0\n\n# Not a heading\n| not | a table |',
  inputSchema: {
    type: 'object',
    properties: { sku: { type: 'string', description: 'Which | one.' }, count: { type: 'integer', default: 1 } },
    required: ['sku'],
  },
  outputSchema: { type: 'object', properties: { left: { type: 'integer' } }, required: ['left'] },
  errors: { SoldOut: 'None left | or\nnot enough.', 'Odd error': 'It has an odd name.' },
  idempotent: false,
  destructive: true,
  security: '- It writes.\n- It reads.',
  examples: [
    { title: 'One', arguments: { sku: 'cup' }, data: { left: 3 } },
    { arguments: { sku: 'mug' } },
    { title: 'None', arguments: { sku: 'jar' }, error: 'SoldOut' },
  ],
  timeout: 5000,
  limit: { calls: 5, per_ms: 1000 },
  cacheTtl: 60,
  task: false,
  keyed: true,
  deprecatedIn: '1.4.0',
  replacedBy: 'shop.order',
}

test('a document with the version in section 1, errors in a table, and results of which only the form is shown', async () => {
  const markdown = await readFile(join(ROOT, 'testing/spec/document-0.1.0.md'), 'utf8')
  const [tool] = readDocument(markdown).tools
  expect(tool && definitionOf(tool)).toEqual({ body: sell, missing: [] })
  expect(lint('document.md', markdown).filter(({ severity }) => severity === 'error')).toEqual([])
})
