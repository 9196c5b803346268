import { expect, test } from 'vitest'
import { foreignDefinition } from './foreign-definition.ts'

const listed = { name: 'pay', inputSchema: { type: 'object' } }

test('what a server says of keys, of undoing and of dry runs is in the definition, and nothing where it says nothing', () => {
  const _meta = { 'myrmex/name': 'shop.pay', 'myrmex/keyed': true, 'myrmex/undo': true, 'myrmex/dryRun': true }
  expect(foreignDefinition({ ...listed, _meta }, '1.0.0')).toMatchObject({
    name: 'shop.pay',
    keyed: true,
    undo: true,
    dryRun: true,
  })
  for (const said of [{}, { 'myrmex/keyed': 'yes', 'myrmex/undo': {}, 'myrmex/dryRun': 1 }]) {
    const body = foreignDefinition({ ...listed, _meta: said }, '1.0.0')
    expect(body).not.toHaveProperty('keyed')
    expect(body).not.toHaveProperty('undo')
    expect(body).not.toHaveProperty('dryRun')
  }
})
