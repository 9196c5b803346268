import { productTruth, readHiddenWorld } from '@myrmex/testing/shop/oracle'
import { defaultShop } from '@myrmex/testing/shop/test-shops'
import { createServer } from 'myrmex'
import { connect } from 'myrmex/client'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '../../day.ts'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { readHiddenProducts } from '../../market/world/hidden-parameters.ts'
import { netOfSale } from '../supplier/offers/sale.ts'
import { productResearch } from './agent.ts'
import { COMPONENTS } from './scoring/criteria.ts'

let shop: EmbeddedShop
// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
let call: (name: string, args: object) => Promise<any>
let request: (method: string, params: Record<string, unknown>) => Promise<unknown>

beforeAll(async () => {
  shop = await defaultShop()
  const made = productResearch(async () => shop)
  const connection = await connect(
    createServer({
      name: 'test',
      version: '1.0.0',
      tools: [...made.tools],
      resources: [...made.resources],
      prompts: [...made.prompts],
    }),
  )
  call = (name, args) => connection.call(`product_research.${name}`, args as Record<string, unknown>)
  request = (method, params) => connection.request(method, params)
  return async () => {
    await connection.close()
    await shop.close()
  }
})

test('"coffee" finds Coffee: five products nobody sells yet, best first, each with its evidence', async () => {
  const before = shop.dump()
  const { data } = await call('find_winning_products', { category: 'coffee' })
  expect(data).toMatchObject({ category: 'Coffee', niche: null, wished: [], unknown_criteria: [] })
  expect(data.products).toHaveLength(5)
  expect(data.looked_at).toBe((await shop.marketplace.listings({ category: 'Coffee' })).length)
  const scores = data.products.map(({ score }: { score: number }) => score)
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
  for (const product of data.products) {
    expect(product.already_sold).toBe(false)
    expect(Object.keys(product.evidence)).toEqual([...COMPONENTS])
    const { landed_cost, margin } = product.evidence.margin.figures
    expect(margin).toBeCloseTo(netOfSale(product.suggested_price * 100) / 100 - landed_cost, 1)
    expect(product.suggested_price).toBeGreaterThan(landed_cost)
    expect(product.units_a_day.low).toBeLessThan(product.units_a_day.expected)
    expect(product.profit_a_day.expected).toBeCloseTo(product.units_a_day.expected * product.margin, 1)
    const recent = await shop.marketplace.history([product.product_id], 28)
    const sold = recent.reduce((sum, { units }) => sum + units, 0) / 28
    expect(product.evidence.demand.figures.units_a_day_now / sold).toBeGreaterThan(0.6)
    expect(product.evidence.demand.figures.units_a_day_now / sold).toBeLessThan(1.6)
  }
  expect(shop.dump()).toBe(before)
})

test('what the caller cares about shifts weights and order, and what it does not know it says', async () => {
  const { data } = await call('find_winning_products', {
    category: 'Home Decor',
    criteria: 'High Margin, purple',
    limit: 25,
  })
  const plain = await call('find_winning_products', { category: 'Home Decor', limit: 25 })
  expect(data.wished).toEqual(['margin'])
  expect(data.unknown_criteria).toEqual(['purple'])
  expect(data.weights.margin).toBeGreaterThan(plain.data.weights.margin * 2)
  expect(Object.values(data.weights as Record<string, number>).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1)
  const ids = (from: { products: { product_id: string }[] }): string[] =>
    from.products.map(({ product_id }) => product_id)
  expect(ids(data)).not.toEqual(ids(plain.data))
  expect(ids(data).toSorted()).toEqual(ids(plain.data).toSorted())
})

test('a niche is a category too, and products of the shop are marked', async () => {
  const { data } = await call('find_winning_products', { category: 'ergonomic chairs', limit: 25 })
  expect(data).toMatchObject({ category: 'Office', niche: 'Ergonomic Chairs' })
  const sold = new Set((await shop.storefront.products({ limit: 500 })).map(({ product_id }) => product_id))
  for (const { niche, product_id, already_sold } of data.products) {
    expect(niche).toBe('Ergonomic Chairs')
    expect(already_sold).toBe(sold.has(product_id))
  }
  expect(data.products.some((one: { already_sold: boolean }) => one.already_sold)).toBe(true)
  const { data: others } = await call('find_winning_products', {
    category: 'ergonomic chairs',
    limit: 25,
    unsold: true,
  })
  const unsold = data.products.filter((one: { already_sold: boolean }) => !one.already_sold)
  expect(others.products).toEqual(unsold)
})

test('a niche is judged by figures that can be recomputed', async () => {
  const { data } = await call('analyze_niche', { niche: 'Ergonomic Chairs' })
  const listings = await shop.marketplace.listings({ niche: 'Ergonomic Chairs' })
  const prices = listings.map(({ price }) => price / 100).sort((a, b) => a - b)
  expect(data).toMatchObject({ niche: 'Ergonomic Chairs', category: 'Office', listings: listings.length })
  expect(data.price_band).toMatchObject({ lowest: prices[0], highest: prices.at(-1) })
  expect(data.sellers).toBe(listings.reduce((sum, { sellers }) => sum + sellers, 0))
  const units = (
    await shop.marketplace.history(
      listings.map(({ product_id }) => product_id),
      28,
    )
  ).reduce((sum, day) => sum + day.units / 28, 0)
  expect(data.units_a_day).toBeCloseTo(units, 1)
  expect(data.saturation.sellers_per_unit).toBeCloseTo(data.sellers / units, 2)
  expect(data.season.months).toHaveLength(12)
  expect(data.hhi).toBeGreaterThan(0)
  expect(['enter', 'wait', 'avoid']).toContain(data.verdict)
  expect(data.reasons[0]).toContain(`${data.hhi} of 10,000`)
})

test('the season it sees is the one the market has', async () => {
  const { data } = await call('analyze_niche', { niche: 'Ergonomic Chairs' })
  const hidden = [...readHiddenProducts(shop.db)]
  const listings = new Set(
    (await shop.marketplace.listings({ niche: 'Ergonomic Chairs' })).map(({ product_id }) => product_id),
  )
  const peaks = hidden.filter(([id]) => listings.has(id)).map(([, { peak }]) => peak)
  const middle = new Date(Date.UTC(2026, 0, peaks.toSorted((a, b) => a - b)[peaks.length >> 1])).getUTCMonth()
  const best = data.season.months.reduce(
    (top: number, one: { index: number }, i: number) => (one.index > data.season.months[top].index ? i : top),
    0,
  )
  expect(Math.min((best - middle + 12) % 12, (middle - best + 12) % 12)).toBeLessThanOrEqual(1)
})

/** What each product would truly earn from visitors who come by themselves, up to a factor that is the same for all. */
function truths(day: string): Map<string, number> {
  return new Map(
    readHiddenWorld(shop.db).map((known) => {
      const earned = known.offers.map((offer) => {
        const { attraction, pull, keeps } = productTruth(shop.db, known, offer, known.price, day)
        return attraction * pull * keeps
      })
      return [known.product_id, Math.max(0, ...earned)]
    }),
  )
}

test('its five best of a category earn far more than five at random would', async () => {
  const earns = truths(addDays(await shop.clock.today(), 45))
  const parts: number[] = []
  const chance: number[] = []
  for (const category of ['Coffee', 'Home Decor', 'Office', 'Tech', 'Pets']) {
    const listings = await shop.marketplace.listings({ category })
    const truth = new Map(listings.map(({ product_id }) => [product_id, earns.get(product_id) ?? 0]))
    const { data } = await call('find_winning_products', { category })
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
    const all = [...truth.values()].sort((a, b) => b - a)
    const best = sum(all.slice(0, 5))
    parts.push(sum(data.products.map((one: { product_id: string }) => truth.get(one.product_id) ?? 0)) / best)
    chance.push((5 * sum(all)) / all.length / best)
  }
  const mean = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length
  expect(mean(parts)).toBeGreaterThan(0.7)
  expect(mean(parts)).toBeGreaterThan(1.5 * mean(chance))
})

test('listings and niches can be read, and the brief has figures', async () => {
  const read = async (uri: string) =>
    JSON.parse(((await request('resources/read', { uri })) as { contents: { text: string }[] }).contents[0]?.text ?? '')
  expect(await read('shop://listings/123')).toMatchObject({ product_id: '123', title: 'Comfy Chair' })
  const niche = await read('shop://niches/Ergonomic%20Chairs')
  expect(niche.products).toContainEqual(expect.objectContaining({ product_id: '123' }))
  const { messages } = (await request('prompts/get', {
    name: 'research_brief',
    arguments: { category: 'coffee' },
  })) as {
    messages: { content: { text: string } }[]
  }
  expect(messages[0]?.content.text).toMatch(/Decide what to sell from Coffee: \d+ listings.*score 0\.\d+/s)
})
