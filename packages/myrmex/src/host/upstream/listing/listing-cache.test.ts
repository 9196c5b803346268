import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Listing } from './listing.ts'
import { cacheListing, readCachedListing } from './listing-cache.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'remembered-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const inner = join(FOLDER, 'deep', 'host')
const listing: Listing = {
  era: 'modern',
  server: { name: 'shop', version: '1' },
  capabilities: { tools: {} },
  instructions: undefined,
  tools: [{ name: 'buy', inputSchema: { type: 'object' }, unknown: [1, { a: null }] }],
  resources: [],
  templates: [{ uriTemplate: 'a://{b}' }],
  prompts: [],
}

test('a listing is found again as it was, by nobody but its owner and only for the same server', async () => {
  expect(await readCachedListing(inner, 'shop', 'key')).toBeUndefined()
  await cacheListing(inner, 'shop', 'key', { ...listing, tools: [] })
  await Promise.all([cacheListing(inner, 'shop', 'key', listing), cacheListing(inner, 'shop', 'key', listing)])
  expect(await readCachedListing(inner, 'shop', 'key')).toEqual(listing)
  expect(await readCachedListing(inner, 'shop', 'another')).toBeUndefined()
  expect(readdirSync(inner)).toEqual(['shop.json'])
  if (process.platform !== 'win32') {
    expect(statSync(join(inner, 'shop.json')).mode & 0o777).toBe(0o600)
    expect(statSync(inner).mode & 0o777).toBe(0o700)
  }
})

test('no name leads out of the folder', async () => {
  for (const name of ['../shop', 'a/b', '', '.', 'A']) {
    await expect(cacheListing(inner, name, 'key', listing)).rejects.toThrow('is not a server name')
  }
  expect(existsSync(join(FOLDER, 'deep', 'shop.json'))).toBe(false)
})

const whole = { format: 1, key: 'key', listing }
test.each([
  ['nothing', ''],
  ['half a file', JSON.stringify(whole).slice(0, 80)],
  ['another format', JSON.stringify({ ...whole, format: 0 })],
  ['a list', '[]'],
  ['no era', JSON.stringify({ ...whole, listing: { ...listing, era: 'stone' } })],
  ['a tool without a schema', JSON.stringify({ ...whole, listing: { ...listing, tools: [{ name: 'x' }] } })],
  ['no prompts', JSON.stringify({ ...whole, listing: { ...listing, prompts: undefined } })],
  ['instructions that are no text', JSON.stringify({ ...whole, listing: { ...listing, instructions: [] } })],
])('a file with %s is as good as none', async (_what, text) => {
  writeFileSync(join(inner, 'shop.json'), text)
  expect(await readCachedListing(inner, 'shop', 'key')).toBeUndefined()
})
