/** Rendered pages of tools/list are kept for callers with the same scopes, within a bound. */
import { rawClient } from '@myrmex/testing/host/raw-client'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { tool } from '../../tool/tool.ts'
import { createServer } from '../server.ts'

const long = tool({
  ...toolDefaults,
  name: 'test.long',
  description: `Long. ${'Words. '.repeat(150_000)}`,
  input: { type: 'object' },
  output: { type: 'object' },
  run: () => ({}),
})

test('callers with many different scopes do not fill the memory with long pages', async () => {
  const server = createServer({ name: 'test', version: '1.0.0', tools: [long] })
  const list = async (scope: string): Promise<unknown> => {
    const principal = { id: 'ann', kind: 'bearer', scopes: ['test.*', scope] } as const
    return (await rawClient(server, { era: 'modern', principal })).request('tools/list')
  }
  const first = await list('first.*')
  expect(await list('first.*')).toBe(first)
  for (let count = 0; count < 40; count++) await list(`other.tool_${count}`)
  expect(await list('first.*')).not.toBe(first)
})
