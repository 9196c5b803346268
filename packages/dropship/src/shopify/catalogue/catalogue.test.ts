import { shopifyWithAdapter } from '@myrmex/testing/shopify/open-shopify'
import { expect, test } from 'vitest'
import type { NewProduct, PageContent } from '../../ports.ts'

const PRODUCT: NewProduct = {
  product_id: '123',
  sku: 'chair-comfy',
  title: 'Comfy Chair',
  price: 9999,
  supplier_id: 'sup_99',
  unit: 2400,
  shipping: 500,
}
const PAGE: PageContent = {
  slug: 'comfy-chair',
  title: 'Comfy Chair',
  price: 9999,
  images: ['https://images.example.com/chair.jpg'],
  template: '<h1>{{ title }}</h1>',
  html: '<h1>Comfy Chair</h1>',
  meta_title: 'Comfy Chair',
  meta_description: 'A chair.',
  keywords: ['office'],
  seo_score: 70,
}

test('stock is what Shopify has in all places, with what is promised and what is coming', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const chair = server.store.stocked('Red Chair', 'chair-red', 50, { committed: 8, incoming: 20 })
  chair.variant.levels.push(
    ...Array.from({ length: 12 }, (_, at) => ({
      id: `gid://shopify/InventoryLevel/${9000 + at}`,
      location: { id: `gid://shopify/Location/${2 + at}`, name: `Place ${at}` },
      available: 1,
      committed: 0,
      incoming: 0,
    })),
  )
  expect(await shop.orders.stock('chair-red')).toEqual({
    sku: 'chair-red',
    title: 'Red Chair',
    on_hand: 62,
    reserved: 8,
    incoming: [{ quantity: 20, arrives_on: undefined }],
    reorder_point: 0,
  })
  expect(await shop.orders.stock('CHAIR-RED')).toBeUndefined()
  expect(await shop.orders.stock('" OR sku:*')).toBeUndefined()
})

test('more than 250 products are read to the last, and page by page', async () => {
  const { server, shop } = await shopifyWithAdapter({ maximum: 2000, restoreRate: 20_000 })
  for (let at = 0; at < 263; at++) server.store.stocked(`Thing ${at}`, `thing-${String(at).padStart(3, '0')}`, at)
  const all = await shop.storefront.products()
  expect(all.map(({ sku }) => sku)).toEqual(server.store.products.map(({ variant }) => variant.sku).sort())
  const reads = server.executed.length
  const page = await shop.storefront.products({ after: 'thing-099', limit: 3 })
  expect(page.map(({ on_hand }) => on_hand)).toEqual([100, 101, 102])
  // From where it stood, not from the beginning.
  expect(server.executed.length - reads).toBe(1)
})

test('a page is published as a product of Shopify, and read back as it was', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const { page } = await shop.storefront.publish(PRODUCT, PAGE, 'k1')
  expect(page).toMatchObject({ ...PAGE, sku: 'chair-comfy', version: 1, status: 'published' })
  expect(await shop.storefront.pages({ page_id: page.page_id })).toEqual([page])
  expect(await shop.storefront.pages({ slug: 'comfy-chair' })).toEqual([page])
  expect(await shop.storefront.products({ sku: 'chair-comfy' })).toMatchObject([
    { product_id: '123', supplier_id: 'sup_99', unit: 2400, shipping: 500, price: 9999, on_hand: 0, status: 'active' },
  ])
  expect(server.store.products).toHaveLength(1)
})

test('publishing again keeps stock and number of products; another product on the same address is refused', async () => {
  const { server, shop } = await shopifyWithAdapter()
  await shop.storefront.publish(PRODUCT, PAGE, 'k1')
  const [made] = server.store.products
  const level = made?.variant.levels[0]
  if (level !== undefined) level.available = 7
  for (const key of ['k1', 'k2']) await shop.storefront.publish(PRODUCT, { ...PAGE, price: 8999 }, key)
  expect(server.store.products).toHaveLength(1)
  expect(await shop.storefront.products({ sku: 'chair-comfy' })).toMatchObject([{ on_hand: 7, price: 8999 }])
  const other = shop.storefront.publish({ ...PRODUCT, sku: 'other' }, PAGE, 'k3')
  await expect(other).rejects.toMatchObject({ error_type: 'SlugTaken' })
  expect(server.store.products).toHaveLength(1)
})

test('a lost answer to publishing makes no second product', async () => {
  const { server, shop } = await shopifyWithAdapter()
  server.fail('lost', 2, 'CreateProduct')
  await shop.storefront.publish(PRODUCT, PAGE, 'k1')
  expect(server.store.products).toHaveLength(1)
})

test('a page is changed only from the version that was read; the same key changes it once', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const { page_id } = (await shop.storefront.publish(PRODUCT, PAGE, 'k1')).page
  server.fail('lost', 1, 'SetMetafield')
  const changed = await shop.storefront.update(page_id, 1, { meta_title: 'Chairs', seo_score: 90 }, 'k2')
  expect(changed.page).toMatchObject({ version: 2, meta_title: 'Chairs', seo_score: 90, price: 9999, html: PAGE.html })
  expect(await shop.storefront.update(page_id, 1, { meta_title: 'Chairs', seo_score: 90 }, 'k2')).toEqual(changed)
  const stale = shop.storefront.update(page_id, 1, { meta_title: 'Late' }, 'k3')
  await expect(stale).rejects.toMatchObject({ error_type: 'PageChanged' })
  expect(await shop.storefront.pages({ page_id })).toEqual([changed.page])
})

test('of two that change a page at once one is refused', async () => {
  const { shop } = await shopifyWithAdapter()
  const { page_id } = (await shop.storefront.publish(PRODUCT, PAGE, 'k1')).page
  const both = await Promise.allSettled(
    ['a', 'b'].map((title) => shop.storefront.update(page_id, 1, { title }, `key ${title}`)),
  )
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a crash between the note and the change is finished by the same key', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const { page_id } = (await shop.storefront.publish(PRODUCT, PAGE, 'k1')).page
  server.fail('403', 1, 'UpdateProduct')
  await expect(shop.storefront.update(page_id, 1, { title: 'New' }, 'k2')).rejects.toMatchObject({
    error_type: 'PermissionError',
  })
  expect(await shop.storefront.update(page_id, 1, { title: 'New' }, 'k2')).toMatchObject({
    page: { title: 'New', version: 2 },
    before: { page: { title: 'Comfy Chair' } },
  })
})

test('a withdrawn page is a draft, and its product is paused', async () => {
  const { shop } = await shopifyWithAdapter()
  const { page_id } = (await shop.storefront.publish(PRODUCT, PAGE, 'k1')).page
  await shop.storefront.withdraw(page_id, {}, 'k2')
  expect(await shop.storefront.pages({ page_id })).toMatchObject([{ status: 'withdrawn' }])
  expect(await shop.storefront.products({ status: 'active' })).toEqual([])
})

test('what Shopify refuses is an error that names the field', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const long = shop.storefront.publish(PRODUCT, { ...PAGE, title: 'x'.repeat(300) }, 'k1')
  await expect(long).rejects.toMatchObject({
    error_type: 'ValidationError',
    message: expect.stringContaining('input.title'),
    error_details: { fields: [{ field: 'input.title', code: 'INVALID_INPUT' }] },
  })
  expect(server.store.products).toEqual([])
})

test('what a change replaced is answered again under its key, and put back', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const first = await shop.storefront.publish(PRODUCT, PAGE, 'k1')
  const { page_id } = first.page
  expect(first.before).toEqual({})
  expect(await shop.storefront.findRecorded('k1', { slug: PAGE.slug })).toEqual(first)
  const [was] = await shop.storefront.products({ sku: PRODUCT.sku })
  const dearer = { ...PAGE, title: 'Chair of Doom', slug: 'chair-of-doom', price: 12_000 }
  const terms = {
    ...PRODUCT,
    title: dearer.title,
    price: dearer.price,
    supplier_id: 'sup_1',
    unit: 3000,
    shipping: 900,
  }
  server.fail('403', 1, 'SetPrice')
  await expect(shop.storefront.publish(terms, dearer, 'k2')).rejects.toThrow()
  expect(await shop.storefront.findRecorded('k2', { page_id })).toBeUndefined()
  const second = await shop.storefront.publish(terms, dearer, 'k2')
  expect(second.before).toMatchObject({ page: PAGE, product: { title: 'Comfy Chair', price: 9999, unit: 2400 } })
  expect(second.product).toEqual(terms)
  const writes = server.executed.length
  expect(await shop.storefront.findRecorded('k2', { slug: dearer.slug })).toEqual(second)
  expect(await shop.storefront.publish(terms, dearer, 'k2')).toEqual(second)
  // Only read: a page that is made already is not written again.
  expect(server.executed.slice(writes).some((name) => /Product$|Set/.test(String(name)))).toBe(false)
  await shop.storefront.withdraw(page_id, second.before, 'k3')
  expect(await shop.storefront.products({ sku: PRODUCT.sku })).toEqual([was])
  expect(await shop.storefront.pages({ page_id })).toEqual([{ ...first.page, version: 3 }])
  expect(await shop.storefront.findRecorded('k2', { page_id })).toBeUndefined()
})
