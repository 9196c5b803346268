/** What anybody can see of the market and of suppliers. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../day.ts'
import type { EmbeddedShop } from '../open.ts'

let shop: EmbeddedShop
beforeAll(async () => {
  shop = await smallShop()
})
afterAll(() => shop.close())

test('every category has its niches, and every niche its listings', async () => {
  const categories = await shop.marketplace.categories()
  const all = await shop.marketplace.listings()
  let count = 0
  for (const { category, niches } of categories) {
    for (const niche of niches) count += (await shop.marketplace.listings({ category, niche })).length
  }
  expect(count).toBe(all.length)
  expect(all.map(({ product_id }) => product_id)).toEqual(all.map(({ product_id }) => product_id).sort())
})

test('a listing has its facts and keywords', async () => {
  const [chair] = await shop.marketplace.listings({ product_id: '123' })
  expect(chair).toMatchObject({ title: 'Comfy Chair', niche: 'Ergonomic Chairs' })
  expect(Object.values(chair?.facts ?? {}).every((fact) => typeof fact === 'string')).toBe(true)
  expect(Array.isArray(chair?.keywords)).toBe(true)
})

test('history is of the days before today, oldest first', async () => {
  const today = await shop.clock.today()
  const days = await shop.marketplace.history(['123', '124', '123'], 7)
  expect(days).toHaveLength(14)
  expect(days[0]).toMatchObject({ product_id: '123', day: addDays(today, -7) })
  expect(days.at(-1)).toMatchObject({ product_id: '124', day: addDays(today, -1) })
  expect(await shop.marketplace.history([], 7)).toEqual([])
})

test('shares of sellers are largest first and at most the whole', async () => {
  const shares = (await shop.marketplace.sellers(['123'])).map(({ share }) => share)
  expect(shares.length).toBeGreaterThan(0)
  expect(shares).toEqual([...shares].sort((a, b) => b - a))
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1.000001)
})

test('offers are found from both sides, with their supplier', async () => {
  const offers = await shop.suppliers.offers({ product_id: '123' })
  const ours = offers.find(({ supplier }) => supplier.supplier_id === 'sup_99')
  expect(ours).toBeDefined()
  expect(await shop.suppliers.offers({ supplier_id: 'sup_99' })).toContainEqual(ours)
  expect(await shop.suppliers.supplier('sup_99')).toEqual(ours?.supplier)
  expect(await shop.suppliers.supplier('sup_none')).toBeUndefined()
})

test('no port shows what is hidden', async () => {
  const seen = JSON.stringify([
    await shop.marketplace.listings(),
    await shop.suppliers.offers({}),
    await shop.storefront.products(),
    await shop.helpdesk.tickets(),
  ])
  expect(seen).not.toMatch(/reserve"|patience|defect|elasticity|buy_fit/)
})
