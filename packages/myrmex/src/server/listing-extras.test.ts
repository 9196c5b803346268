/** What an author says about a tool, a resource or a prompt beside its work is listed, and is part of its definition. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../client/connect.ts'
import { prompt } from '../tool/prompt.ts'
import { resource } from '../tool/resource.ts'
import { type ToolDefinition, tool } from '../tool/tool.ts'
import { createServer } from './server.ts'

const icons = [
  { src: 'https://shop.example/i.png', mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark' as const },
  { src: 'data:image/svg+xml;base64,PHN2Zy8+' },
]
const meta = { 'shop.example/colour': 'red', note: { deep: [1] } }
const base = { ...toolDefaults, name: 'shop.look', input: z.object({}), output: z.object({}), run: () => ({}) }

describe.each(['auto', 'legacy'] as const)('to a client of the era %s', (era) => {
  test('tools, resources, templates and prompts are listed with icons and metadata', async () => {
    const server = createServer({
      name: 'test',
      version: '1.0.0',
      tools: [tool({ ...base, openWorld: false, icons, meta })],
      resources: [
        resource({ uri: 'shop://a', name: 'a', icons, meta, read: () => 'a' }),
        resource({
          uriTemplate: 'shop://all/{id}',
          name: 'all',
          icons,
          meta,
          read: () => 'b',
          list: () => [{ uri: 'shop://all/1', name: 'one', icons, meta }],
        }),
      ],
      prompts: [prompt({ name: 'greet', icons, meta, get: () => 'Hello' })],
    })
    const connection = await connect(server, { era })
    const shown = { icons, _meta: meta }
    const [listed] = await connection.tools()
    expect(listed).toMatchObject({ icons, annotations: { openWorldHint: false } })
    expect(listed?._meta).toEqual({ ...meta, 'myrmex/name': 'shop.look', 'myrmex/version': '1.0.0' })
    expect(await connection.request('resources/list')).toMatchObject({
      resources: [
        { uri: 'shop://a', ...shown },
        { uri: 'shop://all/1', ...shown },
      ],
    })
    expect(await connection.request('resources/templates/list')).toMatchObject({ resourceTemplates: [shown] })
    expect(await connection.request('prompts/list')).toMatchObject({ prompts: [{ name: 'greet', ...shown }] })
    await connection.close()
  })
})

test('without them nothing is listed, and the hash is the one from before', async () => {
  const plain = tool(base)
  const connection = await connect(createServer({ name: 'test', version: '1.0.0', tools: [plain] }))
  const [listed] = await connection.tools()
  expect(listed).not.toHaveProperty('icons')
  expect(listed?.annotations).not.toHaveProperty('openWorldHint')
  expect(plain.hash).toBe('6623ba560f0d892fe4528815839162b0631481d8f69a3159c2b097cc0cdc5f54')
  await connection.close()
})

test('each of them changes the definition', () => {
  const changes: Partial<ToolDefinition>[] = [{}, { openWorld: true }, { openWorld: false }, { icons }, { meta }]
  expect(new Set(changes.map((change) => tool({ ...base, ...(change as object) }).hash)).size).toBe(changes.length)
})
