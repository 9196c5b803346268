import { ADA, csrfTokenIn, openStorefront } from '@myrmex/testing/shop/shopper'
import { HtmlValidate } from 'html-validate'
import { ToolError } from 'myrmex'
import { expect, test } from 'vitest'

const checker = new HtmlValidate({ extends: ['html-validate:recommended', 'html-validate:a11y'] })

async function problemsIn(html: string): Promise<string[]> {
  const { results } = await checker.validateString(html)
  return results.flatMap(({ messages }) => messages.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`))
}

/** The pages that a shopper sees, in the order of a purchase. */
async function purchase() {
  const open = await openStorefront()
  const shopper = open.shopper()
  const slip = await shopper.slipFor('chair-red', 2)
  const form = { slip, ...ADA }
  const wrong = await shopper.post('/shop/order', { ...form, email: 'ada', postal_code: '' })
  const payment = await shopper.post('/shop/order', form)
  const paid = { slip: csrfTokenIn(payment), ...ADA }
  const placed = await shopper.post('/shop/pay', paid)
  return { ...open, shopper, wrong, payment, paid, placed, link: placed.headers.get('location') ?? '' }
}

test('every kind of page is valid, accessible HTML', async () => {
  const { shopper, wrong, payment, link } = await purchase()
  const pages = { wrong: wrong.text, payment: payment.text }
  await shopper.post('/shop/cart', { sku: 'chair-red', quantity: '1', do: 'add' })
  const paths = [
    '/shop/',
    '/shop/?category=Office',
    '/shop/search?q=chair',
    '/shop/search?q=zzzz',
    '/shop/products/chair-red',
    '/shop/cart',
  ]
  for (const path of [...paths, '/shop/order', '/shop/policies', '/shop/nowhere', link]) {
    Object.assign(pages, { [path]: (await shopper.get(path)).text })
  }
  for (const [name, html] of Object.entries(pages)) expect(await problemsIn(html), name).toEqual([])
})

test('an order is placed once, however often it is sent, and sets stock aside', async () => {
  const open = await purchase()
  expect(open.placed.status).toBe(303)
  const again = await open.shopper.post('/shop/pay', open.paid)
  expect(again.headers.get('location')).toBe(open.link)
  const orders = await open.shop.orders.orders({ email: ADA.email })
  expect(orders).toHaveLength(1)
  expect(orders[0]).toMatchObject({ status: 'paid', channel: 'direct', lines: [{ sku: 'chair-red', quantity: 2 }] })
  expect(await open.shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50, reserved: 2 })
  expect((await open.shopper.get('/shop/cart')).text).toContain('Your cart is empty')
})

test('nobody pays another price than they were shown, and a placed order stays placed', async () => {
  const open = await openStorefront()
  const shopper = open.shopper()
  const paid = { slip: await shopper.slipFor('chair-red'), ...ADA }
  open.shop.db.exec("UPDATE products SET price = price + 1000 WHERE sku = 'chair-red'")
  const seen = await shopper.post('/shop/pay', paid)
  expect(seen.status).toBe(200)
  expect(seen.text).toContain('A price has changed.')
  expect(seen.text).toContain('value="Ada Lovelace"')
  expect(await open.shop.orders.orders({ email: ADA.email })).toEqual([])
  const agreed = { slip: csrfTokenIn(seen), ...ADA }
  const placed = await shopper.post('/shop/pay', agreed)
  open.shop.db.exec("UPDATE products SET price = price + 1000 WHERE sku = 'chair-red'")
  const again = await shopper.post('/shop/pay', agreed)
  expect(again.headers.get('location')).toBe(placed.headers.get('location'))
  expect(await open.shop.orders.orders({ email: ADA.email })).toHaveLength(1)
})

test('two clicks at once are one order', async () => {
  const { shop, shopper } = await (async () => {
    const open = await openStorefront()
    return { shop: open.shop, shopper: open.shopper() }
  })()
  const paid = { slip: await shopper.slipFor('chair-red'), ...ADA }
  const both = await Promise.all([shopper.post('/shop/pay', paid), shopper.post('/shop/pay', paid)])
  expect(new Set(both.map(({ headers }) => headers.get('location'))).size).toBe(1)
  expect(await shop.orders.orders({ email: ADA.email })).toHaveLength(1)
})

test('problems of the form are shown beside their fields, and correct values are kept', async () => {
  const { wrong } = await purchase()
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('aria-describedby="email-problem"')
  expect(wrong.text).toContain('A postal code in United Kingdom looks like SW1A 1AA.')
  expect(wrong.text).toContain('value="Ada Lovelace"')
})

test('the payment step says that no money moves and asks for no card', async () => {
  const { payment } = await purchase()
  expect(payment.text).toContain('No money moves.')
  expect(payment.text).not.toMatch(/type="(text|number|tel|password)"/)
})

test('from the payment step one can go back and change the address that was given', async () => {
  const { shopper, paid } = await purchase()
  const back = await shopper.post('/shop/order', { ...paid, do: 'edit' })
  expect(back.status).toBe(200)
  expect(back.text).toContain('value="St James Square 12"')
  expect(back.text).toContain('Continue to the test payment')
})

test('an order opens with its key and is not there without', async () => {
  const { shopper, link, origin } = await purchase()
  const order = await shopper.get(link)
  expect(order.status).toBe(200)
  expect(order.text).toContain('Ada Lovelace')
  expect(order.headers.get('cache-control')).toBe('no-store')
  const { pathname, searchParams } = new URL(link, origin)
  const key = searchParams.get('key') ?? ''
  const other = `${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}`
  for (const path of [pathname, `${pathname}?key=`, `${pathname}?key=${other}`, `/shop/orders/777?key=${key}`]) {
    const seen = await shopper.get(path)
    expect([path, seen.status]).toEqual([path, 404])
    expect(seen.text).not.toContain('Ada')
  }
})

test('a form of another shopper, or from another site, orders nothing', async () => {
  const { shop, shopper, origin } = await openStorefront().then((open) => ({ ...open, shopper: open.shopper() }))
  const slip = await shopper.slipFor('chair-red')
  const stranger = await openStorefrontShopper(origin)
  expect((await stranger.post('/shop/pay', { slip, ...ADA })).status).toBe(403)
  expect((await shopper.post('/shop/pay', { slip: `${slip}x`, ...ADA })).status).toBe(403)
  expect((await shopper.post('/shop/pay', { slip, ...ADA }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await shopper.post('/shop/cart', { sku: 'chair-red' }, { origin: 'null' })).status).toBe(403)
  expect(await shop.orders.orders({ email: ADA.email })).toEqual([])
})

async function openStorefrontShopper(origin: string) {
  const { Shopper } = await import('@myrmex/testing/shop/shopper')
  return new Shopper(origin)
}

test('a cart that somebody changed is no cart', async () => {
  const open = await openStorefront()
  const shopper = open.shopper()
  const seen = await shopper.post('/shop/cart', { sku: 'chair-red', quantity: '3', do: 'add' })
  expect(seen.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
  expect((await shopper.get('/shop/cart')).text).toContain('value="3"')
  shopper.cookie = shopper.cookie.replace('shop_cart=e', 'shop_cart=f')
  expect((await shopper.get('/shop/cart')).text).toContain('Your cart is empty')
})

test('what is too large or of another kind is refused', async () => {
  const shopper = (await openStorefront()).shopper()
  expect((await shopper.post('/shop/cart', { sku: 'x'.repeat(17_000) })).status).toBe(413)
  expect((await shopper.post('/shop/cart', { sku: 'a' }, { 'content-type': 'text/plain' })).status).toBe(415)
  const put = await shopper.get('/shop/cart', {}, 'PUT')
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  expect((await shopper.get('/shop/pay')).headers.get('allow')).toBe('POST')
})

test('the order form is limited by address, says when to come back, and lets through again', async () => {
  let now = 0
  const open = await openStorefront({ now: () => now, address: ({ headers }) => String(headers['x-who'] ?? 'one') })
  const shopper = open.shopper()
  const slip = await shopper.slipFor('chair-red')
  const send = (who: string) => shopper.post('/shop/order', { slip, ...ADA }, { 'x-who': who })
  for (let count = 0; count < 5; count++) expect((await send('one')).status).toBe(200)
  const late = await send('one')
  expect([late.status, late.headers.get('retry-after')]).toEqual([429, '12'])
  expect(late.text).toContain('Please wait 12 seconds')
  expect((await send('two')).status).toBe(200)
  now += 12_000
  expect((await send('one')).status).toBe(200)
  const others = await Promise.all(Array.from({ length: 40 }, (_, at) => send(`other ${at}`)))
  expect(others.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(30)
})

test('while sales are paused nothing is ordered, and every page says so', async () => {
  const open = await openStorefront()
  const shopper = open.shopper()
  const slip = await shopper.slipFor('chair-red')
  open.shop.db.exec("UPDATE meta SET value = '-1' WHERE name = 'pause_sales_above'")
  const seen = await shopper.post('/shop/pay', { slip, ...ADA })
  expect(seen.status).toBe(409)
  expect(seen.text).toContain('takes no orders')
  expect((await shopper.get('/shop/')).text).toContain('Orders are paused.')
  expect(await open.shop.orders.orders({ email: ADA.email })).toEqual([])
})

test('a paused product is shown as such and cannot be ordered', async () => {
  const open = await openStorefront()
  const shopper = open.shopper()
  await shopper.post('/shop/cart', { sku: 'chair-red', quantity: '1', do: 'add' })
  open.shop.db.exec("UPDATE products SET status = 'paused' WHERE sku = 'chair-red'")
  const seen = await shopper.get('/shop/products/chair-red')
  expect(seen.text).toContain('Not sold at the moment')
  expect(seen.text).not.toContain('Add to cart')
  expect((await shopper.get('/shop/cart')).text).not.toContain('Go to the order')
})

test('pages carry a strict policy, can be kept, and are sent compressed', async () => {
  const shopper = (await openStorefront()).shopper()
  const seen = await shopper.get('/shop/products/chair-red')
  const policy = seen.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src|unsafe/)
  expect(seen.headers.get('x-content-type-options')).toBe('nosniff')
  expect(seen.headers.get('content-encoding')).toBe('gzip')
  const etag = seen.headers.get('etag') ?? ''
  const kept = await shopper.get('/shop/products/chair-red', { 'if-none-match': etag })
  expect([kept.status, kept.text]).toEqual([304, ''])
  const head = await shopper.get('/shop/products/chair-red', { 'accept-encoding': 'identity' }, 'HEAD')
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
    200,
    '',
    String(Buffer.byteLength(seen.text)),
  ])
})

test('an image with a bad address breaks no page, and adds no rule to the policy', async () => {
  const open = await openStorefront()
  const images = JSON.stringify([
    'https://',
    'https://a;form-action/x.png',
    'https://img.example/x.png',
    'javascript:1',
  ])
  open.shop.db.prepare("UPDATE pages SET images = ? WHERE sku = 'chair-red'").run(images)
  for (const path of ['/shop/', '/shop/search?q=chair', '/shop/products/chair-red']) {
    const { status, headers } = await open.shopper().get(path)
    expect([path, status]).toEqual([path, 200])
    expect(headers.get('content-security-policy')?.match(/form-action/g)).toHaveLength(1)
  }
  const seen = await open.shopper().get('/shop/products/chair-red')
  expect(seen.headers.get('content-security-policy')).toContain("img-src 'self' https://img.example;")
})

test('what changes in the shop is seen and found at once', async () => {
  const open = await openStorefront()
  const shopper = open.shopper()
  expect((await shopper.get('/shop/search?q=zeppelin')).text).toContain('0 products found')
  open.shop.db.exec("UPDATE pages SET title = 'Zeppelin Chair' WHERE sku = 'chair-red'")
  expect((await shopper.get('/shop/search?q=zepelin')).text).toContain('Zeppelin Chair')
  expect((await shopper.get('/shop/products/chair-red')).text).toContain('Zeppelin Chair')
})

test('what breaks is said with a reference that the log has, and nothing else', async () => {
  const seen: [string, unknown][] = []
  const broken = new ToolError('UnavailableError', 'the disk under /secret is gone')
  const open = await openStorefront({ failed: (reference, thrown) => void seen.push([reference, thrown]) })
  open.shop.marketplace.listings = async () => {
    throw broken
  }
  open.shop.db.exec("UPDATE meta SET value = value WHERE name = 'today'")
  const answer = await open.shopper().get('/shop/?page=1')
  const [[reference, thrown] = []] = seen
  expect([answer.status, thrown]).toEqual([500, broken])
  expect(answer.text).toContain(reference)
  expect(answer.text).not.toContain('secret')
  expect(await problemsIn(answer.text)).toEqual([])
})

test('only addresses under /shop are its own, and strange ones are not found', async () => {
  const shopper = (await openStorefront()).shopper()
  for (const path of ['/', '/shopping', '/mcp']) expect((await shopper.get(path)).status).toBe(418)
  expect((await shopper.get('/shop')).headers.get('location')).toBe('/shop/')
  const strange = [
    '/shop/%',
    '/shop/products/%E0%A4%A',
    '/shop/constructor',
    '/shop/products/',
    '/shop/?page=0',
    '/shop/?page=9',
    '/shop/?category=None',
    '/shop/images/nobody.svg',
  ]
  for (const path of strange) expect([path, (await shopper.get(path)).status]).toEqual([path, 404])
})

test('search engines are given full addresses of every product', async () => {
  const open = await openStorefront({ origin: 'https://shop.example' })
  const map = (await open.shopper().get('/shop/sitemap.xml')).text
  expect(map).toContain('<loc>https://shop.example/shop/products/chair-red</loc>')
  expect(map.match(/\/shop\/products\//g)).toHaveLength(8)
  expect((await open.shopper().get('/shop/robots.txt')).text).toContain(
    'Sitemap: https://shop.example/shop/sitemap.xml',
  )
  expect((await open.shopper().get('/shop/products/chair-red')).text).toContain(
    'rel="canonical" href="https://shop.example/shop/products/chair-red"',
  )
})

test('a picture is the same every time, and another for another product', async () => {
  const open = await openStorefront()
  const [one, two] = await open.shop.marketplace.listings()
  const shopper = open.shopper()
  const seen = await shopper.get(`/shop/images/${one?.product_id}.svg`)
  expect(seen.headers.get('content-type')).toBe('image/svg+xml')
  expect(seen.headers.get('content-security-policy')).not.toContain('self')
  expect((await open.shopper().get(`/shop/images/${one?.product_id}.svg`)).text).toBe(seen.text)
  expect((await shopper.get(`/shop/images/${two?.product_id}.svg`)).text).not.toBe(seen.text)
})
