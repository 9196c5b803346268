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
  expect(log.filter((line) => line.includes('left out'))).toEqual([
    'warn fixture: tools/list: left out no_schema: it has no inputSchema',
    'warn fixture: tools/list: left out one without a name: it has no name',
    'warn fixture: tools/list: left out one without a name: it is no object',
    'warn fixture: tools/list: left out good: it is listed twice, and the first one holds',
    expect.stringMatching(/left out large: its definition has 300\d\d\d characters; at most 262144 are read$/),
    'warn fixture: tools/list: left out 1 more',
    'warn fixture: resources/list: left out the same page again and again, so what follows was not read',
  ])
})

test('more tools than anybody has use for are not all taken', async () => {
  const tools = Array.from({ length: 2001 }, (_, index) => ({ name: `t${index}`, inputSchema: schema }))
  const { upstream, log } = superviseUpstream({}, { shape: { tools, capabilities: { tools: {} } } })
  await upstream.start()
  expect(upstream.listing?.tools).toHaveLength(2000)
  expect(upstream.listing?.resources).toEqual([])
  expect(log).toContain(
    'warn fixture: tools/list: left out all that follows the first 2000: more are not taken from one server',
  )
})

test('an answer that is no list takes nothing from what was known', async () => {
  const { upstream, configureChild, log } = superviseUpstream()
  await upstream.start()
  configureChild({ tools: 'none', pages: { '': { resources: [listed('new')] } } })
  await upstream.restart()
  expect(upstream.listing?.tools).toHaveLength(7)
  expect(upstream.listing?.resources).toEqual([listed('new')])
  expect(log).toContain('warn fixture: tools/list was refused: the answer has no array "tools" (-32603)')
})
