import { expect, test } from 'vitest'
import { UriSpaces } from './uri-spaces.ts'

const MANY = 400_000

test.each([
  ['zeros in a port', `:${'0'.repeat(MANY)}x`],
  ['ports', ':1'.repeat(MANY)],
  ['users', '@'.repeat(MANY)],
  ['dots', '.'.repeat(MANY)],
  ['escapes', '%41'.repeat(MANY)],
  ['prefixes', 'two+'.repeat(MANY)],
])('a server with many %s in the authority of a URI costs no more time than its length', (_what, more) => {
  const spaces = new UriSpaces<string>()
  spaces.add('ui://one/page', 'one')
  spaces.addPrefix('two+', 'two')
  expect(spaces.ownersOf(`ui://other${more}`).owners).toEqual(new Set())
})

test.each([
  ['ui://ONE/page', ['one'], ''],
  ['UI://user@one.:080/page', [], ''],
  ['https://one.example:0443/', ['one'], ''],
  ['https://user@ONE.example./', ['one'], ''],
  ['ui://two+one/page', ['two'], 'two+'],
  ['UI://TWO+one/page', ['two'], 'two+'],
  ['Two+ui://one/page', ['two'], 'two+'],
  ['ui://other+one/page', [], ''],
])('%s is of %j', (uri, owners, prefix) => {
  const spaces = new UriSpaces<string>()
  for (const text of ['ui://one/page', 'https://one.example/']) spaces.add(text, 'one')
  spaces.addPrefix('two+', 'two')
  expect(spaces.ownersOf(uri)).toEqual({ owners: new Set(owners), prefix })
})
