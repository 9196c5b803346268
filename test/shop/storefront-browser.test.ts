/** The storefront in a real browser: a purchase by mouse and one by keyboard alone, on every page an audit of its accessibility. */

import { accessibilityProblems, launchBrowser } from '@myrmex/testing/browser'
import { longTest } from '@myrmex/testing/long'
import { type OpenStorefront, openStorefront } from '@myrmex/testing/shop/shopper'
import type { Tool } from 'myrmex'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { storeBuild } from '../../packages/dropship/src/agents/store_build/agent.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function visitor(open: OpenStorefront, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ baseURL: open.origin, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return page
}

const audited = async (page: Page): Promise<void> => expect(await accessibilityProblems(page), page.url()).toEqual([])

test('somebody finds a chair, buys two, and the stock goes down', async () => {
  const open = await openStorefront()
  const before = await open.shop.orders.stock('chair-red')
  const page = await visitor(open)
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))

  await page.goto('/shop/')
  await audited(page)
  await page.getByRole('searchbox', { name: 'Search the shop' }).fill('red chair')
  await page.getByRole('button', { name: 'Search' }).click()
  await audited(page)
  await page.getByRole('link', { name: 'Red Chair', exact: true }).click()
  await audited(page)
  expect(
    await page
      .locator('main img')
      .first()
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
  ).toBeGreaterThan(0)

  await page.getByLabel('Pieces').fill('2')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await audited(page)
  await page.getByRole('link', { name: 'Go to the order' }).click()
  await page.getByLabel('Full name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill('ada.example.com')
  await page.getByLabel('Street and number').fill('Unter den Linden 5')
  await page.getByLabel('Postal code').fill('123')
  await page.getByLabel('City').fill('Berlin')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Continue to the test payment' }).click()

  await audited(page)
  expect(await page.getByRole('alert').textContent()).toContain('Please look at 2 fields')
  expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Postal code').fill('10117')
  await page.getByRole('button', { name: 'Continue to the test payment' }).click()

  await audited(page)
  expect(await page.getByRole('main').textContent()).toContain('No money moves.')
  await page.getByRole('button', { name: /as a test and order/ }).click()

  await page.waitForURL('**/shop/orders/**')
  await audited(page)
  expect(await page.getByRole('main').textContent()).toMatch(
    /Received[\s\S]*Red Chair[\s\S]*Ada Lovelace[\s\S]*10117 Berlin/,
  )
  await page.reload()
  const orders = await open.shop.orders.orders({ email: 'ada@example.com' })
  expect(orders).toHaveLength(1)
  const after = await open.shop.orders.stock('chair-red')
  const free = (stock: typeof after): number => (stock?.on_hand ?? 0) - (stock?.reserved ?? 0)
  expect(free(before) - free(after)).toBe(2)
  expect(said.filter((text) => /policy|refused/i.test(text))).toEqual([])
})

longTest('a script in a title stays text, on the page, in lists and in the cart', async () => {
  const open = await openStorefront()
  const listing = (await open.shop.marketplace.listings()).at(-1)
  const title = '<script>document.title="owned"</script>"><img src=x onerror="document.title=\'owned\'">'
  const [create] = storeBuild(async () => open.shop).tools as [Tool]
  const input = { title, price: 400, images: [], product_id: listing?.product_id, description: title }
  const { data } = (await create.run(input, {} as never)) as { data: { url: string } }
  const page = await visitor(open)
  await page.goto(data.url)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(title)
  await audited(page)
  const seen = async (): Promise<void> => {
    expect(await page.title()).not.toBe('owned')
    expect(await page.locator('script:not([type="application/ld+json"]), img[onerror]').count()).toBe(0)
  }
  await seen()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  expect(await page.getByRole('main').textContent()).toContain(title)
  await seen()
  await page.goto(`/shop/?category=${encodeURIComponent(listing?.category ?? '')}`)
  await seen()
})

longTest('somebody without a mouse, on a dark phone, gets through', async () => {
  const open = await openStorefront()
  const page = await visitor(open, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await page.goto('/shop/products/chair-red')
  await audited(page)
  const { keyboard } = page
  await keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await keyboard.press('Enter')
  /** On with the tabulator until something of that name has the focus; a trap would be found by the count. */
  const reach = async (name: RegExp): Promise<void> => {
    for (let count = 0; count < 40; count++) {
      await keyboard.press('Tab')
      const focused = await page.evaluate(
        '(() => { const it = document.activeElement; return it.labels?.[0]?.textContent ?? it.textContent })()',
      )
      if (name.test(String(focused))) return
    }
    throw new Error(`The tabulator does not come to ${name}`)
  }
  await reach(/^Add to cart/)
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  await Promise.all([page.waitForURL('**/shop/cart'), keyboard.press('Enter')])
  await reach(/^Go to the order/)
  await Promise.all([page.waitForURL('**/shop/order'), keyboard.press('Enter')])
  const filled = [
    [/^Full name/, 'Grace Hopper'],
    [/^Email/, 'grace@example.com'],
    [/^Street/, 'Main Street 1'],
    [/^Postal/, '10001'],
    [/^City/, 'New York'],
  ] as const
  for (const [label, text] of filled) {
    await reach(label)
    await keyboard.type(text)
  }
  await reach(/^Country/)
  await keyboard.type('United States')
  await reach(/^Continue to the test payment/)
  await Promise.all([page.waitForLoadState('load'), keyboard.press('Enter')])
  await page.getByRole('heading', { name: 'Test payment' }).waitFor()
  await reach(/as a test and order$/)
  await Promise.all([page.waitForURL('**/shop/orders/**'), keyboard.press('Enter')])
  await audited(page)
  expect(await open.shop.orders.orders({ email: 'grace@example.com' })).toHaveLength(1)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
