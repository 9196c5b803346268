import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { tool } from './tool.ts'

test('a schema of any depth is searched for marked parameters', () => {
  const depth = 3000
  const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  const made = (extra: JsonObject) =>
    tool(
      {
        ...toolDefaults,
        name: 'shop.find',
        input: {
          type: 'object',
          properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
          examples: deep,
          ...extra,
        },
        output: { type: 'object' },
        run: () => ({}),
      },
      'upstream',
    )
  expect(made({}).headers).toMatchObject([{ header: 'mcp-param-region', path: ['region'] }])
  expect(() => made({ anyOf: [{ properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } }] })).toThrow(
    /x-mcp-header/,
  )
})
