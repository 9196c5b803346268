/** Pages and products: published together, changed by version, withdrawn and put back. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewProduct, Offer, PageContent } from '../../ports.ts'
import type { EmbeddedShop } from '../open.ts'

const CONTENT: PageContent = {
  slug: 'brass-kettle',
  title: 'Brass Kettle',
  price: 4990,
  images: ['/shop/images/1.svg', '/shop/images/2.svg'],
  template: '<h1>{{ title }}</h1>',
  html: '<h1>Brass Kettle</h1>',
  meta_title: 'Brass Kettle',
  meta_description: 'A kettle of brass.',
  keywords: ['kettle', 'brass'],
  seo_score: 71.5,
}

let shop: EmbeddedShop
let offer: Offer
beforeEach(async () => {
  shop = await smallShop()
  const sold = new Set((await shop.storefront.products()).map(({ product_id }) => product_id))
  const unsold = (await shop.marketplace.listings()).find(({ product_id }) => !sold.has(product_id))
  offer = (await shop.suppliers.offers({ product_id: unsold?.product_id }))[0] as Offer
})
afterEach(() => shop.close())

const kettle = (more: Partial<NewProduct> = {}): NewProduct => ({
  product_id: offer.product_id,
  sku: '',
  title: 'Brass Kettle',
  price: 4990,
  supplier_id: offer.supplier.supplier_id,
  unit: offer.unit,
  shipping: offer.shipping,
  ...more,
})

async function refused(work: () => Promise<unknown>, error_type: string): Promise<void> {
  const dump = shop.dump()
  await expect(work()).rejects.toMatchObject({ error_type })
  expect(shop.dump()).toBe(dump)
}

test('a page and its product appear together, under a sku made of the slug', async () => {
  const { page } = await shop.storefront.publish(kettle(), CONTENT, 'page')
  expect(page).toMatchObject({ ...CONTENT, sku: 'brass-kettle', version: 1, status: 'published' })
  expect(page.page_id).toMatch(/^p_\d+$/)
  expect(await shop.storefront.pages({ slug: 'brass-kettle' })).toEqual([page])
  const [product] = await shop.storefront.products({ sku: page.sku })
  expect(product).toMatchObject({
    product_id: offer.product_id,
    price: 4990,
    on_hand: 0,
    reserved: 0,
    status: 'active',
  })
})

test('a sku that another product has is not taken from it', async () => {
  const { page } = await shop.storefront.publish(kettle({ sku: 'chair-red' }), CONTENT, undefined)
  expect(page.sku).toBe('chair-red-2')
  expect((await shop.storefront.products({ sku: 'chair-red' }))[0]?.on_hand).toBe(50)
})

test('a product that is there keeps its stock and gets the new price', async () => {
  const before = (await shop.storefront.products({ sku: 'chair-red' }))[0]
  if (before === undefined) throw new Error('no red chair')
  const { page } = await shop.storefront.publish({ ...before, price: 1 }, CONTENT, undefined)
  expect(page.sku).toBe('chair-red')
  expect((await shop.storefront.products({ sku: 'chair-red' }))[0]).toMatchObject({ on_hand: 50, price: 4990 })
})

test('what cannot be published is refused', async () => {
  const taken = (await shop.storefront.pages({ sku: 'chair-red' }))[0]?.slug ?? ''
  const publish = (product: NewProduct, page: Partial<PageContent> = {}) =>
    shop.storefront.publish(product, { ...CONTENT, ...page }, undefined)
  await refused(() => publish(kettle(), { slug: taken }), 'SlugTaken')
  await refused(() => publish(kettle({ supplier_id: 'sup_none' })), 'UnknownOffer')
  for (const price of [0, -1, 1.5]) await refused(() => publish(kettle(), { price }), 'ValidationError')
  for (const slug of ['', '../x', 'A B', 'a'.repeat(101)])
    await refused(() => publish(kettle(), { slug }), 'ValidationError')
  await refused(() => publish(kettle({ sku: '<b>' })), 'ValidationError')
  await refused(() => publish(kettle({ unit: 1.5 })), 'ValidationError')
})

test('a page is changed only by who has seen its newest version', async () => {
  const { page } = await shop.storefront.publish(kettle(), CONTENT, undefined)
  const { page: next } = await shop.storefront.update(
    page.page_id,
    1,
    { title: 'Kettle', price: 3990, keywords: ['tea'] },
    'u1',
  )
  expect(next).toEqual({ ...page, title: 'Kettle', price: 3990, keywords: ['tea'], version: 2 })
  expect((await shop.storefront.products({ sku: page.sku }))[0]?.price).toBe(3990)
  await refused(() => shop.storefront.update(page.page_id, 1, { title: 'Late' }, undefined), 'PageChanged')
  await refused(() => shop.storefront.update('p_99999', 1, { title: 'Late' }, undefined), 'UnknownPage')
  const taken = (await shop.storefront.pages({ sku: 'chair-red' }))[0]?.slug ?? ''
  await refused(() => shop.storefront.update(page.page_id, 2, { slug: taken }, undefined), 'SlugTaken')
  await refused(() => shop.storefront.update(page.page_id, 2, { price: 0 }, undefined), 'ValidationError')
})

test('a page can be put back to what it was', async () => {
  const { page } = await shop.storefront.publish(kettle(), CONTENT, undefined)
  await shop.storefront.update(page.page_id, 1, { title: 'Kettle', price: 3990 }, undefined)
  await shop.storefront.withdraw(page.page_id, { page: { title: page.title, price: page.price } }, undefined)
  expect((await shop.storefront.pages({ page_id: page.page_id }))[0]).toEqual({ ...page, version: 3 })
  expect((await shop.storefront.products({ sku: page.sku }))[0]).toMatchObject({ price: 4990, status: 'active' })
})

test('the key returns the replaced content again, even after later changes of the page', async () => {
  const made = await shop.storefront.publish(kettle(), CONTENT, 'page')
  expect(made.before).toEqual({})
  const { page_id, sku } = made.page
  const changed = await shop.storefront.update(page_id, 1, { title: 'Kettle' }, 'change')
  expect(changed).toMatchObject({ page: { title: 'Kettle', version: 2 }, before: { page: CONTENT } })
  const other = { ...CONTENT, slug: 'kettle-two', price: 5990 }
  const second = await shop.storefront.publish(kettle({ sku, title: 'Two' }), other, 'second')
  expect(second.before).toEqual({ product: expect.objectContaining({ title: 'Brass Kettle', price: 4990 }) })
  await shop.storefront.withdraw(page_id, {}, 'away')
  expect(await shop.storefront.findRecorded('page', {})).toEqual(made)
  expect(await shop.storefront.findRecorded('change', {})).toEqual(changed)
  expect(await shop.storefront.findRecorded('second', {})).toEqual(second)
  for (const key of ['away', 'never', undefined]) expect(await shop.storefront.findRecorded(key, {})).toBeUndefined()
})

test('a withdrawn page pauses its product and gives its address up', async () => {
  const { page } = await shop.storefront.publish(kettle(), CONTENT, undefined)
  await shop.storefront.withdraw(page.page_id, {}, undefined)
  expect((await shop.storefront.pages({ page_id: page.page_id }))[0]?.status).toBe('withdrawn')
  expect((await shop.storefront.products({ sku: page.sku }))[0]?.status).toBe('paused')
  const { page: again } = await shop.storefront.publish(kettle({ sku: page.sku }), CONTENT, undefined)
  expect(again).toMatchObject({ slug: CONTENT.slug, sku: page.sku, status: 'published' })
  expect((await shop.storefront.products({ sku: page.sku }))[0]?.status).toBe('active')
  await refused(() => shop.storefront.withdraw('p_99999', {}, undefined), 'UnknownPage')
})

test('a product that another page still shows is sold on', async () => {
  const { page } = await shop.storefront.publish(kettle(), CONTENT, undefined)
  await shop.storefront.publish(kettle({ sku: page.sku }), { ...CONTENT, slug: 'brass-kettle-gift' }, undefined)
  await shop.storefront.withdraw(page.page_id, {}, undefined)
  expect((await shop.storefront.products({ sku: page.sku }))[0]?.status).toBe('active')
})

test('pages come in the order of their numbers, page by page', async () => {
  for (let at = 0; at < 11; at++) {
    await shop.storefront.publish(kettle(), { ...CONTENT, slug: `kettle-${at}` }, undefined)
  }
  const all = await shop.storefront.pages()
  const numbers = all.map(({ page_id }) => Number(page_id.slice(2)))
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  const first = await shop.storefront.pages({ limit: 8 })
  const rest = await shop.storefront.pages({ after: first.at(-1)?.page_id })
  expect([...first, ...rest]).toEqual(all)
  const products = await shop.storefront.products()
  const half = await shop.storefront.products({ limit: 4 })
  expect([...half, ...(await shop.storefront.products({ after: half.at(-1)?.sku }))]).toEqual(products)
})
