import { inspect } from 'node:util'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { environment, SHORT_RETRIES, shopifyWithAdapter, startShopify } from '@myrmex/testing/shopify/open-shopify'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import type { ToolError } from 'myrmex'
import { describe, expect, test } from 'vitest'
import { openShopify } from '../open.ts'

const failed = async (work: Promise<unknown>): Promise<ToolError> => {
  const thrown = await work.then(
    () => undefined,
    (error: ToolError) => error,
  )
  if (thrown === undefined) throw new Error('it succeeded')
  return thrown
}

describe('who we are', () => {
  test('a token that Shopify does not know stops the opening, and is not repeated', async () => {
    const server = await startShopify()
    const token = 'shpat_wrongwrongwrongwrong'
    const error = await failed(openShopify(environment({ url: server.url, token }), await smallShop(), SHORT_RETRIES))
    expect(error.error_type).toBe('AuthenticationError')
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(token)
    expect(server.executed).toEqual([])
  })

  test.each([
    ['403', 'PermissionError'],
    ['denied', 'PermissionError'],
    ['401', 'AuthenticationError'],
  ] as const)('%s is a %s, at once', async (fault, type) => {
    const { server, shop } = await shopifyWithAdapter()
    server.fail(fault, 1, 'Variants')
    const before = server.executed.length
    expect((await failed(shop.orders.stock('any'))).error_type).toBe(type)
    expect(server.executed.length).toBe(before)
  })

  test('the token is in no property of the shop and in no error', async () => {
    const { server, shop } = await shopifyWithAdapter()
    server.fail('500', 5)
    const error = await failed(shop.orders.orders())
    const shown = inspect([shop, error, Object.values(shop.orders).map(String)], { depth: 20, showHidden: true })
    expect(shown).not.toContain(server.token)
    expect(JSON.stringify([shop, error.error_details, error.message, error.stack])).not.toContain(server.token)
  })
})

describe('reads', () => {
  test.each(['500', '503', 'reset', 'html', '429', 'slow', 'throttled'] as const)(
    'go on after %s, twice in a row',
    async (fault) => {
      const { server, shop } = await shopifyWithAdapter()
      server.store.stocked('Red Chair', 'chair-red', 50)
      server.fail(fault, 2, 'Variants')
      expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50 })
    },
  )

  test('give up after five tries, and say when to come back', async () => {
    const { server, shop } = await shopifyWithAdapter()
    server.fail('503', 5)
    const error = await failed(shop.orders.stock('chair-red'))
    expect([error.error_type, error.message]).toEqual(['UnavailableError', expect.stringContaining('HTTP 503')])
    expect(error.error_details).toMatchObject({ retry_after_ms: expect.any(Number) })
    server.store.stocked('Red Chair', 'chair-red', 50)
    expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50 })
  })

  test('of a shop that is gone are an UnavailableError', async () => {
    const { server, shop } = await shopifyWithAdapter()
    await server.close()
    expect((await failed(shop.orders.orders())).message).toMatch(/cannot be reached/)
  })
})

describe('the bucket', () => {
  test('many calls at once take turns: all succeed, and hardly one is refused', async () => {
    // A read of five variants asks for 2 + 5 × 27 = 137 points and, with one found, uses 11.
    const { server, shop } = await shopifyWithAdapter({ maximum: 600, restoreRate: 400 })
    server.store.stocked('Red Chair', 'chair-red', 50)
    const points = 60 * 11
    const found = await withTimeLimit((points / 400 + 3) * 1000, () =>
      Promise.all(Array.from({ length: 60 }, () => shop.orders.stock('chair-red'))),
    )
    expect(found.map((stock) => stock?.on_hand)).toEqual(Array.from({ length: 60 }, () => 50))
    // A call may overtake another on the way; without taking turns some fifty are refused.
    expect(server.throttled()).toBeLessThan(5)
  })

  test('a bucket that others emptied is waited for as long as it says', async () => {
    const { server, shop } = await shopifyWithAdapter({ maximum: 600, restoreRate: 400 })
    server.store.stocked('Red Chair', 'chair-red', 50)
    server.fail('throttled', 1, 'Variants')
    const started = performance.now()
    expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50 })
    // 137 points at 400 a second.
    expect(performance.now() - started).toBeGreaterThan(300)
    expect(server.throttled()).toBe(1)
  })

  test('a wait beyond the deadline is an ApiLimitExceeded with the time to wait', async () => {
    const { server, shop } = await shopifyWithAdapter(
      { maximum: 600, restoreRate: 1 },
      { retry: { pause_ms: 5, total_ms: 500 } },
    )
    server.fail('throttled', 1, 'Variants')
    const error = await failed(shop.orders.stock('chair-red'))
    expect(error.error_type).toBe('ApiLimitExceeded')
    expect((error.error_details as { retry_after_ms: number }).retry_after_ms).toBeGreaterThan(100_000)
  })
})
