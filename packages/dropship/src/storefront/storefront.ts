/**
 * The shop's pages under /shop/, as a request handler. It stores nothing about shoppers: carts are signed cookies, orders are in the
 * shop. No page needs a script. A request passes these steps:
 *
 * 1. The state of the shop, the shopper's cart and the templates become a Visit.
 * 2. A form is rejected if it comes from another site, is too large or of another type, or is sent too often.
 * 3. A page answers. Lists and product pages are rendered once per state of the shop, and sent compressed with an ETag.
 * 4. A refusal becomes a page with its reason. A fault becomes a page with a reference, which is logged.
 */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { csrf } from 'hono/csrf'
import { etag } from 'hono/etag'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { plural } from 'myrmex/text'
import { cached } from '../cached.ts'
import type { Shop, ShopSource } from '../ports.ts'
import { cachePerRevision } from './cache.ts'
import { type Catalogue, readCatalogue } from './catalogue.ts'
import { countPieces, readCart } from './checkout/cart.ts'
import { Seal } from './checkout/seal.ts'
import { type Handler, nodeHandler } from './node-handler.ts'
import { cartPage, changeCart } from './pages/cart-page.ts'
import { listPage, searchPage } from './pages/list-page.ts'
import { orderPage } from './pages/order-page.ts'
import { orderForm, paymentStep, placeOrder } from './pages/order-steps.ts'
import { DEFAULT_NAME, imageOrigins, productDocument } from './pages/product-document.ts'
import { picture, robots, sitemap, styleSheet } from './pages/static-files.ts'
import { templateEngine } from './pages/templates.ts'
import { RateLimit } from './rate-limit.ts'
import { HTML, type Reply, RequestError, redirect, respond } from './reply.ts'
import { buildSearch, type ProductSearch } from './search.ts'
import { messagePage, page, type Visit } from './visit.ts'

export interface StorefrontOptions {
  /** signs carts and links to orders: at least 32 characters, and the same after a restart */
  readonly secret: string | (() => Promise<string>)
  /** name of the shop */
  readonly name?: string
  /** where it is reached from outside, such as https://shop.example; without it, URLs are relative */
  readonly origin?: string
  /** cookies over https only */
  readonly secure?: boolean
  /** whom a request counts for in the rate limits; by default the address at the other end of the socket */
  readonly address?: (request: IncomingMessage) => string
  /** receives faults with the reference that the shopper sees; by default they are written to stderr */
  readonly failed?: (reference: string, thrown: unknown) => void
  /** milliseconds, for the rate limits */
  readonly now?: () => number
}

interface ShopState {
  readonly shop: Shop
  readonly catalogue: Catalogue
  readonly search: () => Promise<ProductSearch>
  /** lists and product pages, rendered for this state of the shop */
  readonly replies: Map<string, Reply>
  salesPaused: boolean
}

interface Env {
  Bindings: { incoming: IncomingMessage }
  Variables: { visit: Visit; state: ShopState }
}

const MINUTE = 60_000
const MAX_FORM_BYTES = 16_384
const MAX_CACHED_REPLIES = 1000

async function readState(shop: Shop): Promise<ShopState> {
  const catalogue = await readCatalogue(shop)
  let search: Promise<ProductSearch> | undefined
  return {
    shop,
    catalogue,
    replies: new Map(),
    salesPaused: false,
    search: () => {
      search ??= buildSearch(catalogue)
      return search
    },
  }
}

export function storefront(source: ShopSource, options: StorefrontOptions): Handler {
  const { now, failed = toStderr } = options
  const app = new Hono<Env>()
  app.onError((error, c) => {
    const visit = c.get('visit') as Visit | undefined
    const refused = error instanceof HTTPException ? new RequestError(403, FROM_ANOTHER_SITE) : error
    if (refused instanceof RequestError && visit !== undefined) return respond(c, refusalPage(visit, refused))
    const reference = randomUUID()
    failed(reference, error)
    return respond(c, { status: 500, type: HTML, caching: 'never', body: faultDocument(reference) })
  })
  app.notFound((c) => respond(c, notFoundPage(c.get('visit'))))
  app.use(openVisit(source, options))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (c, methods) => respond(c, notAllowedPage(c, methods)) }))
  app.use(onlyForms(csrf({ origin: (origin, c) => URL.parse(origin)?.host === c.req.header('host') })))
  app.use(onlyForms(urlEncoded))
  app.use(onlyForms(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: tooLarge })))

  const address = options.address ?? ((request) => request.socket.remoteAddress ?? '')
  const limited = (each: number, all: number, what: string): MiddlewareHandler<Env> => {
    const limit = new RateLimit({ each, all, per_ms: MINUTE }, now)
    return (c, next) => {
      refuseTooMany(limit.take(address(c.env.incoming)), what)
      return next()
    }
  }
  const show =
    (render: (visit: Visit) => Answer | Promise<Answer>) =>
    async (c: Context<Env>): Promise<Response> =>
      send(c, await render(c.get('visit')))
  const keepable = [compress({ encoding: 'gzip' }), etag()] as const

  app.get('/shop', (c) => redirect(c, '/shop/'))
  app.get('/shop/', ...keepable, (c) => send(c, cachedList(c)))
  app.get('/shop/products/:slug', ...keepable, (c) => send(c, cachedProduct(c, c.req.param('slug'))))
  app.get('/shop/search', limited(60, 600, 'You have searched often in a short time.'), ...keepable, show(searchPage))
  app.get('/shop/policies', ...keepable, show(policiesPage))
  app.get('/shop/style.css', ...keepable, (c) => send(c, styleSheet))
  app.get('/shop/robots.txt', ...keepable, show(robots))
  app.get('/shop/sitemap.xml', ...keepable, show(sitemap))
  app.get('/shop/images/:file{.+\\.svg}', ...keepable, async (c) =>
    send(c, await picture(c.get('visit'), c.req.param('file').slice(0, -'.svg'.length))),
  )
  app.get('/shop/cart', show(cartPage))
  app.post('/shop/cart', show(changeCart))
  app.get('/shop/order', show(orderForm))
  app.post('/shop/order', limited(5, 30, 'The order form was sent often in a short time.'), show(paymentStep))
  app.post('/shop/pay', limited(5, 30, 'Many orders came in a short time.'), show(placeOrder))
  app.get('/shop/orders/:id', async (c) => send(c, await orderPage(c.get('visit'), c.req.param('id'))))

  return nodeHandler((path) => path === '/shop' || path.startsWith('/shop/'), app.fetch)
}

function openVisit(source: ShopSource, options: StorefrontOptions): MiddlewareHandler<Env> {
  const { name = DEFAULT_NAME, origin = '', secure = false, secret, now } = options
  const readCached = cachePerRevision(source, readState, now)
  let opened: Promise<Seal> | undefined
  const openSeal = (): Promise<Seal> => {
    opened ??= Promise.resolve(typeof secret === 'string' ? secret : secret()).then((text) => new Seal(text))
    return opened
  }
  return async (c, next) => {
    const [state, engine, seal] = await Promise.all([readCached(), templateEngine(), openSeal()])
    c.set('state', state)
    const cart = await readCart(c, seal)
    c.set('visit', {
      ...state,
      c,
      url: new URL(c.req.url),
      currency: state.shop.currency,
      reloadCatalogue: async () => (await readCached('refresh')).catalogue,
      engine,
      seal,
      cart,
      pieces: cart === undefined ? 0 : countPieces(cart),
      shopName: name,
      origin,
      secure,
      noteSalesPaused: () => {
        state.salesPaused = true
      },
    })
    await next()
  }
}

/** Undefined: there is no such page. */
type Answer = Reply | Response | undefined

function send(c: Context<Env>, reply: Answer): Response | Promise<Response> {
  if (reply === undefined) return c.notFound()
  return reply instanceof Response ? reply : respond(c, reply)
}

/** Rendered once for this state of the shop, and for what the shopper's cart changes on the page. */
function cachedReply(c: Context<Env>, name: string, render: (visit: Visit) => Reply | undefined): Reply | undefined {
  const visit = c.get('visit')
  const { pieces, salesPaused } = visit
  const key = `${name} ${pieces} ${salesPaused}`
  return cached(c.get('state').replies, key, () => render(visit), MAX_CACHED_REPLIES)
}

const cachedList = (c: Context<Env>): Reply | undefined =>
  cachedReply(c, `list ${JSON.stringify([c.req.query('category'), c.req.query('page')])}`, listPage)

const cachedProduct = (c: Context<Env>, slug: string): Reply | undefined =>
  cachedReply(c, `product ${slug}`, (visit) => {
    const item = visit.catalogue.bySlug.get(slug)
    if (item === undefined) return undefined
    const body = productDocument(visit.engine, item, visit)
    return { status: 200, type: HTML, caching: 'checked', body, imageOrigins: imageOrigins(item.page.images) }
  })

async function policiesPage(visit: Visit): Promise<Reply> {
  const body = visit.engine.view('policies', { policies: await visit.shop.helpdesk.policies() })
  return page(visit, {
    title: `Delivery and returns | ${visit.shopName}`,
    body,
    canonical: '/shop/policies',
    description: `How ${visit.shopName} delivers, and how to return something.`,
  })
}

const FROM_ANOTHER_SITE = 'This form was sent from another site. Open the shop itself and try again.'

const onlyForms =
  (check: MiddlewareHandler<Env>): MiddlewareHandler<Env> =>
  (c, next) =>
    c.req.method === 'POST' ? check(c, next) : next()

const urlEncoded: MiddlewareHandler<Env> = (c, next) => {
  if (/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) return next()
  throw new RequestError(415, 'A form must be sent as application/x-www-form-urlencoded.')
}

const tooLarge = (): never => {
  throw new RequestError(413, `The form is larger than ${MAX_FORM_BYTES} bytes.`)
}

function refuseTooMany(waitMs: number, what: string): void {
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  const text = `${what} Please wait ${plural(seconds, 'second')} and try again.`
  throw new RequestError(429, text, { 'Retry-After': String(seconds) })
}

const HEADINGS: Readonly<Record<RequestError['status'], string>> = {
  400: 'That did not work',
  403: 'Please try that again',
  404: 'There is no such page',
  405: 'That did not work',
  413: 'That is too much',
  415: 'That did not work',
  429: 'A moment, please',
}

const TO_SHOP = { href: '/shop/', link: 'To the shop' }

function refusalPage(visit: Visit, { status, message, headers }: RequestError): Reply {
  const link = status === 403 ? { href: '/shop/cart', link: 'To your cart' } : TO_SHOP
  return messagePage(visit, { status, heading: HEADINGS[status], text: message, ...link }, headers)
}

const notFoundPage = (visit: Visit): Reply =>
  refusalPage(visit, new RequestError(404, 'The address may be mistyped, or the product is no longer sold.'))

function notAllowedPage(c: Context, methods: readonly string[]): Reply {
  const text = methods.includes('GET')
    ? 'This page does not support that request.'
    : 'To reach this page, send the form that leads to it.'
  return refusalPage(c.get('visit'), new RequestError(405, text, { Allow: methods.join(', ') }))
}

/** Without the shop's frame, which may be what failed. The reference is ours and contains only hex digits. */
const faultDocument = (reference: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Something broke</title>
<link rel="stylesheet" href="/shop/style.css">
</head>
<body>
<main class="wide">
<div class="message">
<h1>Something broke on our side</h1>
<p>We are sorry. This request ordered nothing, unless you see it on an order's page.</p>
<p>If you write to us about it, give this reference: <code>${reference}</code></p>
<p><a class="button" href="/shop/">To the shop</a></p>
</div>
</main>
</body>
</html>
`

function toStderr(reference: string, thrown: unknown): void {
  const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  process.stderr.write(`storefront: ${reference}: ${what}\n`)
}
