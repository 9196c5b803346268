import { smallShop } from '@myrmex/testing/shop/test-shops'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { chooseOffer } from './choose-offer.ts'

let shop: EmbeddedShop
beforeEach(async () => {
  shop = await smallShop()
  onTestFinished(() => shop.close())
  // The supplier has three offers. The shop sells two of the products.
  shop.db.exec(`
    DELETE FROM offers WHERE supplier_id = 'sup_99' AND product_id NOT IN ('123', '124');
    INSERT INTO offers SELECT 'sup_99', '207', unit, shipping, lead_days, stock FROM offers WHERE supplier_id = 'sup_99' AND product_id = '123';
    UPDATE offers SET unit = 1000 WHERE supplier_id = 'sup_99';
    UPDATE products SET status = 'paused';
    UPDATE products SET status = 'active', product_id = '124', supplier_id = 'sup_99' WHERE sku = 'chair-red';
    UPDATE products SET status = 'active', product_id = '207', supplier_id = 'sup_99', title = 'Print'
      WHERE sku = (SELECT min(sku) FROM products WHERE sku <> 'chair-red')`)
})

const price = (product: string, cents: number): void =>
  shop.db.exec(`UPDATE offers SET unit = ${cents} WHERE supplier_id = 'sup_99' AND product_id = '${product}'`)
const choose = (target_price: number) => chooseOffer(shop, { supplier_id: 'sup_99', target_price })

describe('without a product', () => {
  test('the nearest price above the target decides among those that the shop buys from the supplier', async () => {
    price('123', 1501)
    price('124', 1600)
    price('207', 9000)
    expect(await choose(15)).toEqual({
      product_id: '124',
      choice: expect.stringMatching(
        /^Chose Red Chair \(124\), because of the 2 products that the shop buys from .+ for the target price or more, its price is the nearest\. For another one, set product_id\.$/,
      ),
    })
    expect((await choose(16)).product_id).toBe('124')
    expect(await choose(16.01)).toEqual({
      product_id: '207',
      choice: expect.stringMatching(/^Chose Print \(207\), because it is the only product that the shop buys from/),
    })
  })

  test('a product that the shop sells from another supplier comes next', async () => {
    shop.db.exec("UPDATE products SET supplier_id = 'another' WHERE sku = 'chair-red'")
    price('207', 500)
    price('124', 1600)
    expect(await choose(15)).toEqual({
      product_id: '124',
      choice: expect.stringMatching(/it is the only product that the shop sells and .+ offers for the target price/),
    })
  })

  test('products that the shop does not sell are not guessed', async () => {
    price('123', 1700)
    await expect(choose(15)).rejects.toThrow(
      /offers 3 products, and the shop sells none of them that costs the target price or more\. Set product_id to one of them, such as 123 \(Comfy Chair, 17\)/,
    )
  })

  test('the only offer needs no choice', async () => {
    shop.db.exec("DELETE FROM offers WHERE supplier_id = 'sup_99' AND product_id <> '123'")
    expect(await choose(15)).toEqual({ product_id: '123', choice: undefined })
  })
})

test('a product that is named is taken, whatever the shop sells', async () => {
  const chosen = await chooseOffer(shop, { supplier_id: 'sup_99', target_price: 99, product_id: '123' })
  expect(chosen).toEqual({ product_id: '123', choice: undefined })
})
