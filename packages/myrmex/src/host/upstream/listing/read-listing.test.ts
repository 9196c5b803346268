import { closeAllUpstreams, superviseUpstream } from '@myrmex/testing/host/supervised-upstream'
import { afterEach, expect, test } from 'vitest'

afterEach(closeAllUpstreams)

const schema = { type: 'object' }
const listed = (name: string) => ({ uri: `test://${name}`, name })

test('all pages are read, and what is malformed, too large or there twice is left out and told', async () => {
  let deep: object = {}
  for (let level = 0; level < 200; level++) deep = { deep }
  const { upstream, log } = superviseUpstream(
    {},
    {
      shape: {
        tools: [
          { name: 'good', inputSchema: schema, 'x-unknown': [1] },
          { name: 'no_schema' },
          { inputSchema: schema },
          'a text',
          { name: 'good', inputSchema: schema, description: 'another' },
          { name: 'large', inputSchema: schema, description: 'x'.repeat(300_000) },
          { name: 'dee\u202ep', inputSchema: deep },
        ],
        pages: {
          '': { resources: [listed('a')], nextCursor: 'two' },
          two: { resources: [listed('b')], nextCursor: 'two' },
        },
      },
    },
  )
  await upstream.start()
  expect(upstream.listing?.tools).toEqual([{ name: 'good', inputSchema: schema, 'x-unknown': [1] }])
  expect(upstream.listing?.resources).toEqual([listed('a'), listed('b')])
  expect(log.filter((line) => line.includes('skipped'))).toEqual([
    'warn fixture: tools/list: skipped no_schema: inputSchema is missing',
    'warn fixture: tools/list: skipped an item without a name: name is missing',
    'warn fixture: tools/list: skipped an item without a name: not an object',
    'warn fixture: tools/list: skipped good: listed twice; the first one is used',
    expect.stringMatching(/skipped large: the definition has 300\d\d\d characters; the limit is 262144$/),
    'warn fixture: tools/list: skipped 1 more',
    'warn fixture: resources/list: skipped the remaining pages: nextCursor repeats',
  ])
})

test('more tools than anybody has use for are not all taken', async () => {
  const tools = Array.from({ length: 2001 }, (_, index) => ({ name: `t${index}`, inputSchema: schema }))
  const { upstream, log } = superviseUpstream({}, { shape: { tools, capabilities: { tools: {} } } })
  await upstream.start()
  expect(upstream.listing?.tools).toHaveLength(2000)
  expect(upstream.listing?.resources).toEqual([])
  expect(log).toContain('warn fixture: tools/list: skipped everything after the first 2000 items: the limit is reached')
})

test('an answer that is no list takes nothing from what was known', async () => {
  const { upstream, configureChild, log } = superviseUpstream()
  await upstream.start()
  configureChild({ tools: 'none', pages: { '': { resources: [listed('new')] } } })
  await upstream.restart()
  expect(upstream.listing?.tools).toHaveLength(7)
  expect(upstream.listing?.resources).toEqual([listed('new')])
  expect(log).toContain('warn fixture: tools/list was rejected: the answer has no array "tools" (-32603)')
})
