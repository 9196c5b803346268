import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Registry } from './registry.ts'
import { tool } from './tool.ts'

const make = (name: string, version = '1.0.0', description = 'For tests.') =>
  tool({ ...toolDefaults, name, version, description, input: z.object({}), output: z.object({}), run: () => ({}) })

describe('registration', () => {
  test('of the same definition twice does nothing', () => {
    const registry = new Registry([make('a.b')])
    const { revision } = registry
    registry.register(make('a.b'))
    expect(registry.size).toBe(1)
    expect(registry.revision).toBe(revision)
  })

  test('of another definition under the same name and version is refused', () => {
    const registry = new Registry([make('a.b')])
    expect(() => registry.register(make('a.b', '1.0.0', 'Other.'))).toThrow(/another definition/)
  })

  test('tells listeners, and so does taking away', () => {
    const registry = new Registry()
    let changes = 0
    registry.onChange(() => changes++)
    registry.register(make('a.b'))
    registry.unregister('a.b')
    expect(registry.unregister('a.b')).toBe(false)
    expect(changes).toBe(2)
  })
})

describe('versions live side by side', () => {
  const registry = new Registry([make('a.b', '1.0.0'), make('a.b', '10.0.0'), make('a.b', '2.3.0')])

  test('and the highest answers', () => {
    expect(registry.find('a.b')?.version).toBe('10.0.0')
    expect(registry.versions('a.b').map(({ version }) => version)).toEqual(['10.0.0', '2.3.0', '1.0.0'])
  })

  test('unless a range is asked for', () => {
    expect(registry.find('a.b', '^2.0.0')?.version).toBe('2.3.0')
    expect(registry.find('a.b', '<2')?.version).toBe('1.0.0')
    expect(registry.find('a.b', '^3')).toBeUndefined()
    expect(() => registry.find('a.b', 'newest please')).toThrow(/not a version range/)
  })

  test('one version can be taken away', () => {
    const own = new Registry([make('a.b', '1.0.0'), make('a.b', '2.0.0')])
    own.unregister('a.b', '2.0.0')
    expect(own.find('a.b')?.version).toBe('1.0.0')
  })
})

describe('names', () => {
  test('are bare in a server of one module', () => {
    const registry = new Registry([make('ops.fulfil'), make('ops.check')])
    expect(registry.listed().map(({ listedAs }) => listedAs)).toEqual(['check', 'fulfil'])
  })

  test('are flat in a server of several', () => {
    const registry = new Registry([make('ops.check'), make('shop.check')])
    expect(registry.listed().map(({ listedAs }) => listedAs)).toEqual(['ops_check', 'shop_check'])
  })

  test('what the platform adds makes no second module, and takes no name', () => {
    const names = (...tools: string[]) =>
      new Registry(tools.map((name) => make(name))).listed().map((one) => one.listedAs)
    expect(names('shop.check', 'myrmex.search_tools')).toEqual(['search_tools', 'check'])
    expect(names('shop.search_tools', 'myrmex.search_tools')).toEqual(['myrmex_search_tools', 'shop_search_tools'])
    expect(names('shop.check', 'ops.check', 'myrmex.search_tools')).toEqual([
      'myrmex_search_tools',
      'ops_check',
      'shop_check',
    ])
  })

  test('canonical, flat and unique bare names all find the tool', () => {
    const registry = new Registry([make('ops.check'), make('shop.sell'), make('shop.check')])
    expect(registry.find('ops.check')?.name).toBe('ops.check')
    expect(registry.find('ops_check')?.name).toBe('ops.check')
    expect(registry.find('sell')?.name).toBe('shop.sell')
    expect(registry.find('check')).toBeUndefined()
    expect(registry.find('OPS.CHECK')).toBeUndefined()
    expect(registry.find('__proto__')).toBeUndefined()
  })

  test('that flatten alike are distinguished', () => {
    const registry = new Registry([make('a.b_c'), make('a_b.c')])
    const listed = registry.listed().map(({ listedAs }) => listedAs)
    expect(new Set(listed).size).toBe(2)
    for (const { listedAs, tool: own } of registry.listed()) expect(registry.find(listedAs)).toBe(own)
  })

  test('the listed name always means the tool it is listed for', () => {
    const registry = new Registry([make('a.x'), make('a.a_x')])
    for (const { listedAs, tool: own } of registry.listed()) expect(registry.find(listedAs)?.name).toBe(own.name)
  })

  test('never pass 64 characters', () => {
    const long = `${'m'.repeat(60)}.${'t'.repeat(60)}`
    const registry = new Registry([make(long), make(`${long}2`), make('a.b')])
    const listed = registry.listed().map(({ listedAs }) => listedAs)
    for (const name of listed) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(new Set(listed).size).toBe(3)
    expect(registry.find(listed[1] as string)?.name).toBe(long)
  })
})

test('list() returns the entries of the specification, sorted', () => {
  const registry = new Registry([make('b.z'), make('a.y')])
  expect(registry.list()).toEqual([
    {
      name: 'a.y',
      description: 'For tests.',
      inputSchema: { type: 'object', properties: {} },
      metadata: { module: 'a', destructive: false, deprecated_in: null, cache_ttl: 300 },
    },
    expect.objectContaining({ name: 'b.z' }),
  ])
  expect(registry.schema('a.y')).toMatchObject({ input: { type: 'object' }, output: { type: 'object' } })
  expect(registry.schema('nothing')).toBeUndefined()
})
