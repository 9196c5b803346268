import { detailFaults } from '@myrmex/testing/shop/described-details'
import { judgedFirst } from '@myrmex/testing/shop/judged-first'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { ToolError } from 'myrmex'
import { expect, onTestFinished, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { storeBuild } from './agent.ts'

type Arguments = Record<string, unknown>

interface Case {
  readonly error: string
  readonly tool: 'create_product_page' | 'optimize_seo'
  readonly arguments: Arguments | ((shop: EmbeddedShop) => Arguments | Promise<Arguments>)
  readonly says: RegExp
}

const CHAIR = { title: 'Comfy Chair', price: 500, images: [], product_id: '123' }

/** A quote that was made and has run out, or is for something else. */
function quote(shop: EmbeddedShop, product_id: string, expires_on: string): string {
  shop.db
    .prepare(
      "INSERT INTO quotes (quote_id, supplier_id, product_id, unit, made_on, expires_on) VALUES ('q_900', 'sup_99', ?, 1000, '2026-01-01', ?)",
    )
    .run(product_id, expires_on)
  return 'q_900'
}

const create = (error: string, says: RegExp, changes: Case['arguments']): Case => ({
  error,
  tool: 'create_product_page',
  says,
  arguments:
    typeof changes === 'function' ? async (shop) => ({ ...CHAIR, ...(await changes(shop)) }) : { ...CHAIR, ...changes },
})

const optimise = (error: string, says: RegExp, given: Arguments): Case => ({
  error,
  tool: 'optimize_seo',
  says,
  arguments: given,
})

const CASES: readonly Case[] = [
  create('UnknownProduct', /no product with the id "999999"/, { product_id: '999999' }),
  create('UnknownProduct', /nearest titles: .*Comfy Chair/, { product_id: undefined, title: 'Comfy Chairs' }),
  create('PriceBelowCost', /The lowest price is \d+(\.\d+)? EUR/, { price: 1 }),
  create('InvalidImage', /has the scheme javascript:/, { images: ['javascript:alert(1)'] }),
  create('InvalidImage', /has the scheme data:/, { images: ['data:text/html,<script>alert(1)</script>'] }),
  create('InvalidImage', /is not an image of this shop/, { images: ['//evil.example/x.svg'] }),
  create('InvalidImage', /is not an image of this shop/, { images: ['/shop/images/../orders'] }),
  create('UnknownQuote', /no quote "q_901"/, { quote_id: 'q_901' }),
  create('QuoteExpired', /was valid until 2026-01-05/, (shop) => ({ quote_id: quote(shop, '123', '2026-01-05') })),
  create('QuoteOfAnotherProduct', /is for the product/, async (shop) => {
    const other = (await shop.marketplace.listings()).find(({ product_id }) => product_id !== '123')
    return { quote_id: quote(shop, other?.product_id ?? '', '2099-01-01') }
  }),
  create('NoSupplier', /No supplier offers the product 123/, (shop) => {
    shop.db.exec("DELETE FROM offers WHERE product_id = '123'")
    return {}
  }),
  create('SlugTaken', /There are 20 pages called "Comfy Chair"/, (shop) => {
    for (let count = 1; count <= 20; count++) {
      const slug = count === 1 ? 'comfy-chair' : `comfy-chair-${count}`
      shop.db.exec(
        `INSERT OR REPLACE INTO pages SELECT 'x_${count}', sku, '${slug}', title, price, images, template, html, meta_title, meta_description, keywords, seo_score, version, 'published', made_on FROM pages WHERE page_id = 'p_1'`,
      )
    }
    return {}
  }),
  optimise('UnknownPage', /There is no page "p_0"/, { page_id: 'p_0', keywords: ['chair'] }),
  optimise('PageChanged', /now has version 1, not 7/, { page_id: 'p_1', keywords: ['chair'], version: 7 }),
  optimise('NoKeywords', /at least one keyword/, { page_id: 'p_1', keywords: [] }),
  optimise('NoKeywords', /at least one keyword/, { page_id: 'p_1', keywords: [' ', '!?', 'the'] }),
  optimise('KeywordUnrelated', /None of the keywords is related to Red Chair/, {
    page_id: 'p_1',
    keywords: ['submarine', 'tax advice'],
  }),
]

test.each(CASES)(
  '$tool answers $error ($says), before a person is asked too, and changes nothing',
  async ({ error, tool: name, arguments: given, says }) => {
    const shop = await smallShop()
    onTestFinished(() => shop.close())
    const made = storeBuild(async () => shop).tools.find((tool) => tool.name === `store_build.${name}`)
    const args = typeof given === 'function' ? await given(shop) : given
    const before = shop.dump()
    const thrown = await Promise.resolve(made?.run(args, { idempotencyKey: 'once' } as never)).catch(
      (reason: unknown) => reason,
    )
    expect(thrown).toBeInstanceOf(ToolError)
    expect(thrown).toMatchObject({ error_type: error, message: expect.stringMatching(says) })
    expect(detailFaults(made === undefined ? [] : [made], thrown as never)).toEqual([])
    expect(made?.errorTypes).toContain(error)
    const { tools } = storeBuild(async () => shop)
    expect(await judgedFirst(tools, `store_build.${name}`, args)).toMatchObject({ error_type: error })
    expect(shop.dump()).toBe(before)
  },
)

test('every declared error is provoked here', () => {
  const declared = storeBuild(async () => smallShop()).tools.flatMap(({ errors }) => Object.keys(errors))
  expect(new Set(CASES.map(({ error }) => error))).toEqual(new Set(declared))
})
