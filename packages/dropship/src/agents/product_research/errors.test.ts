import { detailFaults } from '@myrmex/testing/shop/described-details'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { createServer } from 'myrmex'
import { connect } from 'myrmex/client'
import { expect, onTestFinished, test } from 'vitest'
import { productResearch } from './agent.ts'

interface Case {
  readonly error: string
  readonly tool: string
  readonly arguments: Record<string, unknown>
  readonly says: RegExp
  /** done to the shop before */
  readonly before?: string
}

const CASES: readonly Case[] = [
  {
    error: 'UnknownCategory',
    tool: 'find_winning_products',
    arguments: { category: 'Cofee' },
    says: /Nearest: "Coffee"/,
  },
  {
    error: 'UnknownCategory',
    tool: 'find_winning_products',
    arguments: { category: "'; DROP TABLE listings; --" },
    says: /is not a category or niche of the marketplace/,
  },
  {
    error: 'NothingToSell',
    tool: 'find_winning_products',
    arguments: { category: 'Coffee' },
    says: /Coffee has \d+ listings, but none/,
    before: 'UPDATE offers SET stock = 0',
  },
  {
    error: 'UnknownNiche',
    tool: 'analyze_niche',
    arguments: { niche: 'Ergonomic Tables' },
    says: /"Ergonomic Chairs"/,
  },
  {
    error: 'TooLittleHistory',
    tool: 'analyze_niche',
    arguments: { niche: 'Ergonomic Chairs' },
    says: /has 2 whole weeks of history/,
    before: "DELETE FROM listing_days WHERE day < (SELECT date(value, '-14 days') FROM meta WHERE name = 'today')",
  },
]

test.each(CASES)('$tool says $error ($says) and changes nothing', async (one) => {
  const shop = await smallShop()
  onTestFinished(() => shop.close())
  if (one.before !== undefined) shop.db.exec(one.before)
  const before = shop.dump()
  const tools = [...productResearch(async () => shop).tools]
  const connection = await connect(createServer({ name: 'test', version: '1.0.0', tools }))
  onTestFinished(() => connection.close())
  const { error } = await connection.call(`product_research.${one.tool}`, one.arguments)
  expect(error).toMatchObject({ error_type: one.error, error_message: expect.stringMatching(one.says) })
  expect(detailFaults(productResearch(async () => ({}) as never).tools, error)).toEqual([])
  expect(shop.dump()).toBe(before)
})

test('every declared error is provoked above', () => {
  const declared = productResearch(async () => ({}) as never).tools.flatMap(({ name, errors }) =>
    Object.keys(errors).map((error) => `${name} ${error}`),
  )
  expect(new Set(CASES.map(({ tool, error }) => `product_research.${tool} ${error}`))).toEqual(new Set(declared))
})
