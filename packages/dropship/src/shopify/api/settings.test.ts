import { expect, test } from 'vitest'
import { shopifySettings } from './settings.ts'

const TOKEN = 'shpat_0123456789abcdef'
const env = (more: Record<string, string>) => ({
  SHOPIFY_STORE: 'my-shop.myshopify.com',
  SHOPIFY_ADMIN_TOKEN: TOKEN,
  ...more,
})

test('a domain, a token and a version are all it takes', () => {
  expect(shopifySettings(env({ SHOPIFY_API_VERSION: '2026-07' }))).toEqual({
    origin: 'https://my-shop.myshopify.com',
    token: TOKEN,
    apiVersion: '2026-07',
  })
  expect(shopifySettings(env({ SHOPIFY_STORE: 'http://127.0.0.1:8080/' })).origin).toBe('http://127.0.0.1:8080')
})

test.each([
  ['no store', { SHOPIFY_STORE: '' }, /SHOPIFY_STORE is not set/],
  ['a store that is none', { SHOPIFY_STORE: 'shop' }, /is not a domain/],
  ['a token in the clear', { SHOPIFY_STORE: 'http://my-shop.myshopify.com' }, /sent unencrypted/],
  ['a password in the address', { SHOPIFY_STORE: 'https://user:word@my-shop.myshopify.com' }, /is not a domain/],
  ['no token', { SHOPIFY_ADMIN_TOKEN: '' }, /SHOPIFY_ADMIN_TOKEN is not set/],
  ['a token with a line break', { SHOPIFY_ADMIN_TOKEN: `${TOKEN}\nX-Other: 1` }, /invalid characters/],
  ['a version that is none', { SHOPIFY_API_VERSION: 'latest' }, /is not a version/],
  ['a version that repeats refunds', { SHOPIFY_API_VERSION: '2025-10' }, /too old/],
])('%s is refused with a sentence, and without the token', (_name, more, said) => {
  const refused = () => shopifySettings(env(more))
  expect(refused).toThrow(said)
  expect(refused).not.toThrow(TOKEN)
})
