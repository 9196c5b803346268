/** Which page answers which address. */

import { RequestError } from './form.ts'
import { cartPage, changeCart } from './pages/cart-page.ts'
import { listPage, searchPage } from './pages/list-page.ts'
import { orderPage } from './pages/order-page.ts'
import { orderForm, paymentStep, placeOrder } from './pages/order-steps.ts'
import { imageOrigins, productDocument } from './pages/product-document.ts'
import { picture, robots, sitemap, styleSheet } from './pages/static-files.ts'
import { Body, HTML, type Reply, redirect } from './reply.ts'
import { page, pageContext, type Visit } from './visit.ts'

export interface RouteContext {
  /** lists and product pages as they were made, for this state of the shop */
  readonly replies: Map<string, Reply>
  /** 0, or the milliseconds to wait */
  readonly limit: (which: 'form' | 'order' | 'search') => number
}

type Route = (
  visit: Visit,
  desk: RouteContext,
  rest: string,
) => Reply | undefined | void | Promise<Reply | undefined | void>

interface Routed {
  readonly get?: Route
  readonly post?: Route
}

const FIXED: Readonly<Record<string, Routed>> = {
  '': { get: keptList },
  search: {
    get: (visit, desk) => limited(desk, 'search', 'You have searched often in a short time.', () => searchPage(visit)),
  },
  cart: { get: cartPage, post: (visit) => changeCart(visit) },
  order: {
    get: (visit) => orderForm(visit) ?? redirect(visit.response, '/shop/cart'),
    post: (visit, desk) =>
      limited(desk, 'form', 'The order form was sent often in a short time.', () => paymentStep(visit)),
  },
  pay: { post: (visit, desk) => limited(desk, 'order', 'Many orders came in a short time.', () => placeOrder(visit)) },
  policies: { get: policiesPage },
  'style.css': { get: styleSheet },
  'robots.txt': { get: robots },
  'sitemap.xml': { get: sitemap },
}

const UNDER: Readonly<Record<string, Routed>> = {
  products: { get: productPage },
  images: {
    get: (visit, _desk, rest) => (rest.endsWith('.svg') ? picture(visit, rest.slice(0, -'.svg'.length)) : undefined),
  },
  orders: { get: (visit, _desk, rest) => orderPage(visit, rest) },
}

/** Undefined: it was answered already. */
export async function answer(visit: Visit, desk: RouteContext): Promise<Reply | undefined> {
  if (visit.url.pathname === '/shop') return void redirect(visit.response, '/shop/')
  const [route, rest] = routeOf(visit.url.pathname.slice('/shop/'.length))
  if (route === undefined) return notFound(visit)
  const { method } = visit.request
  const run = method === 'POST' ? route.post : method === 'GET' || method === 'HEAD' ? route.get : undefined
  if (run === undefined)
    throw new RequestError(
      405,
      route.get === undefined
        ? 'This page is only reached by sending the form before it.'
        : 'This page can only be looked at.',
    )
  const reply = await run(visit, desk, rest)
  return reply === undefined && !visit.response.headersSent ? notFound(visit) : (reply ?? undefined)
}

function routeOf(path: string): readonly [Routed | undefined, string] {
  if (Object.hasOwn(FIXED, path)) return [FIXED[path], '']
  const slash = path.indexOf('/')
  const head = path.slice(0, Math.max(0, slash))
  const rest = decoded(path.slice(slash + 1))
  return Object.hasOwn(UNDER, head) && rest !== undefined && rest !== '' ? [UNDER[head], rest] : [undefined, '']
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not an address that any page of ours has.
    return undefined
  }
}

async function limited(
  desk: RouteContext,
  which: 'form' | 'order' | 'search',
  what: string,
  go: () => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  const wait = desk.limit(which)
  if (wait === 0) return go()
  const seconds = Math.ceil(wait / 1000)
  throw new RequestError(
    429,
    `${what} Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
    seconds,
  )
}

const MOST_KEPT = 1000

/** Made once for this state of the shop, and for what the shopper's cart changes on it. */
function kept(visit: Visit, { replies }: RouteContext, name: string, make: () => Reply | undefined): Reply | undefined {
  const { pieces, salesPaused } = pageContext(visit)
  const key = `${name} ${pieces} ${salesPaused}`
  const reply = replies.get(key) ?? make()
  if (reply === undefined || replies.has(key)) return reply
  if (replies.size >= MOST_KEPT) replies.clear()
  replies.set(key, reply)
  return reply
}

function keptList(visit: Visit, desk: RouteContext): Reply | undefined {
  const { searchParams } = visit.url
  const name = JSON.stringify([searchParams.get('category'), searchParams.get('page')])
  return kept(visit, desk, `list ${name}`, () => listPage(visit))
}

function productPage(visit: Visit, desk: RouteContext, slug: string): Reply | undefined {
  const item = visit.catalogue.bySlug.get(slug)
  if (item === undefined) return undefined
  return kept(visit, desk, `product ${slug}`, () => {
    const body = new Body(productDocument(visit.engine, item, pageContext(visit)))
    return { status: 200, type: HTML, caching: 'checked', body, imageOrigins: imageOrigins(item.page.images) }
  })
}

async function policiesPage(visit: Visit): Promise<Reply> {
  const body = visit.engine.view('policies', { policies: await visit.shop.helpdesk.policies() })
  const title = `Delivery and returns | ${visit.shopName}`
  return page(visit, {
    title,
    body,
    canonical: '/shop/policies',
    description: `How ${visit.shopName} delivers, and how to send something back.`,
  })
}

function notFound(visit: Visit): Reply {
  const heading = 'There is no such page'
  const text = 'The address may be mistyped, or the product is no longer sold.'
  const body = visit.engine.view('message', { heading, text, href: '/shop/', link: 'To the shop' })
  return page(visit, { title: `${heading} | ${visit.shopName}`, body }, { status: 404, keep: 'never' })
}
