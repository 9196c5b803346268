import { call, grant, serve } from '@myrmex/testing/gated-server'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { HtmlValidate } from 'html-validate'
import type { Tool } from 'myrmex'
import { expect, onTestFinished, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { breakEven } from '../supplier/offers/sale.ts'
import { storeBuild } from './agent.ts'

const HOSTILE = '<script>alert(1)</script> "><img src=x onerror=alert(2)> {{ 7 | times: 6 }} {% raw %}'

async function builder(): Promise<{ shop: EmbeddedShop; create: Tool; optimise: Tool }> {
  const shop = await smallShop()
  onTestFinished(() => shop.close())
  const [create, optimise] = storeBuild(async () => shop).tools as [Tool, Tool]
  return { shop, create, optimise }
}

// biome-ignore lint/suspicious/noExplicitAny: what the tools answer is checked by their schemas
const run = async (tool: Tool, input: object, key?: string): Promise<any> =>
  tool.run(input, { idempotencyKey: key } as never)

/** A listing that the shop does not sell yet. */
async function unsold(shop: EmbeddedShop) {
  const sold = new Set((await shop.storefront.products()).map(({ product_id }) => product_id))
  const listing = (await shop.marketplace.listings()).find(({ product_id }) => !sold.has(product_id))
  if (listing === undefined) throw new Error('the small shop sells everything')
  return listing
}

test('a page is published once per key, with the margin that its figures give', async () => {
  const { shop, create } = await builder()
  const listing = await unsold(shop)
  const offers = await shop.suppliers.offers({ product_id: listing.product_id })
  const cost = Math.min(...offers.map(({ unit, shipping }) => unit + shipping))
  const input = { title: listing.title, price: 321, images: [] }
  const { data } = await run(create, input, 'once')
  const fee = Math.round(32_100 * 0.029) + 30
  expect(data.margin.amount).toBeCloseTo((32_100 - fee - cost) / 100, 5)
  const again = await run(create, input, 'once')
  expect(again.data.page_id).toBe(data.page_id)
  const pages = await shop.storefront.pages({ sku: data.sku })
  expect(pages).toHaveLength(1)
  expect(pages[0]).toMatchObject({ html: data.html, template: data.template, price: 32_100, status: 'published' })
})

test('namesakes get addresses of their own, and a repeated call finds its own', async () => {
  const { shop, create } = await builder()
  const { title } = await unsold(shop)
  const input = { title, price: 321, images: [] }
  const first = (await run(create, input, 'one')).data
  const second = (await run(create, input, 'two')).data
  expect(second.url).toBe(`${first.url}-2`)
  expect(second.sku).toBe(first.sku)
  expect((await run(create, input, 'two')).data.page_id).toBe(second.page_id)
})

test('a call repeated after the product was rated otherwise finds the page it made', async () => {
  const { shop, create } = await builder()
  const { title, product_id } = await unsold(shop)
  const input = { title, price: 321, images: [] }
  const first = (await run(create, input, 'once')).data
  shop.db.prepare('UPDATE listings SET rating = 1.5 WHERE product_id = ?').run(product_id)
  expect((await run(create, input, 'once')).data).toMatchObject({ page_id: first.page_id, html: first.html })
  await expect(run(create, { ...input, price: 333 }, 'once')).rejects.toMatchObject({ error_type: 'ValidationError' })
  expect(await shop.storefront.pages({ sku: first.sku })).toHaveLength(1)
})

test('the lowest price covers cost and fee, and a cent less does not', () => {
  for (const cost of [1, 99, 1234, 56_789]) {
    const price = breakEven(cost)
    const left = (at: number): number => at - Math.round(at * 0.029) - 30 - cost
    expect(left(price)).toBeGreaterThanOrEqual(0)
    expect(left(price - 1)).toBeLessThan(0)
  }
})

test('hostile words stay words: in the text, the head and the structured data', async () => {
  const { shop, create, optimise } = await builder()
  const { product_id } = await unsold(shop)
  const title = HOSTILE.slice(0, 140)
  const made = (await run(create, { title, price: 321, images: [], product_id, description: HOSTILE })).data
  const tuned = (
    await run(optimise, { page_id: made.page_id, keywords: [`${title} office`.slice(0, 80), 'alert script'] })
  ).data
  const [page] = await shop.storefront.pages({ page_id: tuned.page_id })
  const { parse } = await import('parse5')
  for (const html of [made.html, page?.html ?? '']) {
    const tree = JSON.stringify(parse(html), (key, value) => (key === 'parentNode' ? undefined : value))
    expect(tree.match(/"nodeName":"script"/g)).toHaveLength(1)
    expect(tree).not.toMatch(/"name":"onerror"/)
    const json = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
    expect(json['@graph'][0].name).toBe(title)
    expect(html).toContain('{{ 7 | times: 6 }}'.replaceAll('{', '&#123;').replaceAll('}', '&#125;'))
    const { results } = await new HtmlValidate({
      extends: ['html-validate:recommended'],
      rules: { 'long-title': 'off' },
    }).validateString(html)
    expect(results.flatMap(({ messages }) => messages)).toEqual([])
  }
})

test('a plain page is improved, every check by the same audit, and undone to the letter', async () => {
  const { shop, optimise } = await builder()
  const [before] = await shop.storefront.pages({ page_id: 'p_1' })
  const input = { page_id: 'p_1', keywords: ['office', 'chair', 'waterproof throne'] }
  const { status, data } = await run(optimise, input, 'tune')
  expect(status).toBe('success')
  expect(data.after).toBeGreaterThan(data.before + 10)
  const weighed = (side: 'before' | 'after'): number => {
    const sum = (of: (check: { weight: number; before: number; after: number }) => number): number =>
      data.checks.reduce((total: number, check: never) => total + of(check), 0)
    return (100 * sum((check) => check.weight * check[side])) / sum(({ weight }) => weight)
  }
  expect(weighed('before')).toBeCloseTo(data.before, 1)
  expect(weighed('after')).toBeCloseTo(data.after, 1)
  const [mended] = await shop.storefront.pages({ page_id: 'p_1' })
  expect(mended?.html).not.toMatch(/waterproof|throne/i)
  expect(data.not_used).toEqual([{ keyword: 'waterproof throne', why: expect.stringContaining('waterproof, throne') }])
  await optimise.undo?.(input, data, { idempotencyKey: 'back' } as never)
  const [after] = await shop.storefront.pages({ page_id: 'p_1' })
  expect({ ...after, version: 0 }).toEqual({ ...before, version: 0 })
})

test('a page with nothing to improve is left as it is', async () => {
  const { shop, optimise } = await builder()
  const input = { page_id: 'p_1', keywords: ['chair'] }
  await run(optimise, input, 'tune')
  const before = shop.dump()
  const again = await run(optimise, input, 'again')
  expect(again.status).toBe('no_change_needed')
  expect(again.data).toMatchObject({ changed: [], previous: null })
  expect(shop.dump()).toBe(before)
})

test('an undo does not write over what somebody changed since', async () => {
  const { shop, optimise } = await builder()
  const input = { page_id: 'p_1', keywords: ['chair'] }
  const { data } = await run(optimise, input, 'tune')
  await shop.storefront.update('p_1', data.version, { meta_title: 'By hand' }, undefined)
  const undone = Promise.resolve(optimise.undo?.(input, data, { idempotencyKey: 'back' } as never))
  await expect(undone).rejects.toMatchObject({ error_type: 'PageChanged' })
})

test('a dry run renders what would be published, and publishes nothing', async () => {
  const { shop, create } = await builder()
  const { title } = await unsold(shop)
  const before = shop.dump()
  const input = { title, price: 321, images: ['https://images.example/one.jpg'] }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const dry = (await create.dryRun?.(input, {} as never)) as any
  expect(shop.dump()).toBe(before)
  const { data } = await run(create, input)
  expect(dry.data).toEqual({ ...data, page_id: 'unpublished' })
  expect(data.html).toContain('src="https://images.example/one.jpg"')
})

test('through the pipeline: asked for, granted, made, read as a resource, reviewed, undone', async () => {
  const { shop } = await builder()
  const agent = storeBuild(async () => shop)
  const { title } = await unsold(shop)
  const counted = agent.tools.map((tool) => ({ tool, ran: [] }))
  const { server, ledger } = await serve(counted)
  const args = { title, price: 321, images: [] }
  expect((await call(server, 'store_build.create_product_page', args)).error?.error_type).toBe('PermissionError')
  for (const one of counted) await grant(ledger, one)
  const made = await call(server, 'store_build.create_product_page', args, { key: 'page' })
  expect(made.status).toBe('success')
  const { page_id, sku } = made.data
  const text = await agent.resources[0]?.read(`shop://pages/${page_id}`, { id: page_id }, {} as never)
  expect(JSON.parse(String(text))).toMatchObject({ page_id, price: 321, url: made.data.url })
  expect(await agent.prompts[0]?.get({ page_id }, {} as never)).toContain(`Review the page ${page_id}`)
  const undone = await call(
    server,
    'store_build.create_product_page',
    {},
    {
      key: 'undo',
      meta: { 'myrmex/undo': made.call_id },
    },
  )
  expect(undone.error).toBeNull()
  expect((await shop.storefront.pages({ page_id }))[0]?.status).toBe('withdrawn')
  expect((await shop.storefront.products({ sku }))[0]?.status).toBe('paused')
})
