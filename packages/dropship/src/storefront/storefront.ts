/**
 * The shop's pages under /shop/, as a request handler. It keeps nothing about shoppers: carts live in sealed cookies, orders in
 * the shop. No page needs a script. What comes from outside is checked, limited and escaped; what breaks has a reference.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Shop, ShopSource } from '../ports.ts'
import { type Catalogue, cachePerRevision, readCatalogue } from './catalogue.ts'
import { readCart } from './checkout/cart.ts'
import { Seal } from './checkout/seal.ts'
import { RequestError } from './form.ts'
import { DEFAULT_NAME } from './pages/product-document.ts'
import { templateEngine } from './pages/templates.ts'
import { RateLimit } from './rate-limit.ts'
import { Body, HTML, type Reply, send } from './reply.ts'
import { answer } from './routes.ts'
import { buildSearch, type ProductSearch } from './search.ts'
import { page, type Visit } from './visit.ts'

export interface StorefrontOptions {
  /** seals carts and links to orders: 32 characters or more, the same after a restart */
  readonly secret: string | (() => Promise<string>)
  /** what the shop is called */
  readonly name?: string
  /** where it is reached from outside, such as https://shop.example; addresses are relative without it */
  readonly origin?: string
  /** cookies over https only */
  readonly secure?: boolean
  /** whom a request counts for in the limits; whoever is at the other end of the socket unless told */
  readonly address?: (request: IncomingMessage) => string
  /** is told what broke, with the reference that the shopper was given; stderr unless told */
  readonly failed?: (reference: string, thrown: unknown) => void
  /** milliseconds, for the limits */
  readonly now?: () => number
}

/** False: the path is not the storefront's, and nothing was answered. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

const MINUTE = 60_000

interface State {
  readonly shop: Shop
  readonly catalogue: Catalogue
  readonly find: () => Promise<ProductSearch>
  readonly replies: Map<string, Reply>
  salesPaused: boolean
}

async function read(shop: Shop): Promise<State> {
  const catalogue = await readCatalogue(shop)
  let find: Promise<ProductSearch> | undefined
  return {
    shop,
    catalogue,
    replies: new Map(),
    salesPaused: false,
    find: () => {
      find ??= buildSearch(catalogue)
      return find
    },
  }
}

export function storefront(source: ShopSource, options: StorefrontOptions): Handler {
  const { name = DEFAULT_NAME, origin = '', secure = false, now } = options
  const address = options.address ?? ((request) => request.socket.remoteAddress ?? '')
  const failed = options.failed ?? toStderr
  const state = cachePerRevision(source, read, now)
  const limits = {
    form: new RateLimit({ each: 5, all: 30, per_ms: MINUTE }, now),
    order: new RateLimit({ each: 5, all: 30, per_ms: MINUTE }, now),
    search: new RateLimit({ each: 60, all: 600, per_ms: MINUTE }, now),
  }
  let seal: Promise<Seal> | undefined
  const sealOnce = (): Promise<Seal> => {
    seal ??= Promise.resolve(typeof options.secret === 'string' ? options.secret : options.secret()).then(
      (secret) => new Seal(secret),
    )
    return seal
  }

  return async (request, response) => {
    const url = addressOf(request)
    if (url === undefined || !(url.pathname === '/shop' || url.pathname.startsWith('/shop/'))) return false
    let visit: Visit | undefined
    try {
      const [now, liquid, sealer] = await Promise.all([state(), templateEngine(), sealOnce()])
      visit = {
        request,
        response,
        url,
        shop: now.shop,
        catalogue: now.catalogue,
        reloadCatalogue: async () => (await state('anew')).catalogue,
        search: now.find,
        engine: liquid,
        seal: sealer,
        cart: readCart(request.headers.cookie, sealer),
        shopName: name,
        origin,
        secure,
        salesPaused: now.salesPaused,
        noteSalesPaused: () => {
          now.salesPaused = true
        },
      }
      const reply = await answer(visit, {
        replies: now.replies,
        limit: (which) => limits[which].take(address(request)),
      })
      if (reply !== undefined) send(request, response, reply)
    } catch (thrown) {
      finish(request, response, visit, thrown, failed)
    }
    return true
  }
}

/** Undefined: nobody could mean an address by that. The host is only believed as far as it looks like one. */
function addressOf({ url = '/', headers }: IncomingMessage): URL | undefined {
  const host = /^[\w.:[\]-]+$/.test(headers.host ?? '') ? headers.host : 'localhost'
  return URL.canParse(url, `http://${host}`) ? new URL(url, `http://${host}`) : undefined
}

function finish(
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit | undefined,
  thrown: unknown,
  failed: NonNullable<StorefrontOptions['failed']>,
): void {
  // What was sent and not read would be taken for the next request.
  if (!request.complete) response.setHeader('Connection', 'close')
  if (thrown instanceof RequestError && visit !== undefined) {
    send(request, response, refusal(visit, thrown))
    return
  }
  const reference = randomUUID()
  failed(reference, thrown)
  if (response.headersSent) {
    response.destroy()
    return
  }
  send(request, response, { status: 500, type: HTML, caching: 'never', body: new Body(broken(reference)) })
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

function refusal(visit: Visit, { status, message, retryAfter }: RequestError): Reply {
  const heading = HEADINGS[status]
  const link = status === 403 ? { href: '/shop/cart', link: 'To your cart' } : { href: '/shop/', link: 'To the shop' }
  const body = visit.engine.view('message', { heading, text: message, ...link })
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  if (status === 405) headers.Allow = message.startsWith('This page is only') ? 'POST' : 'GET, HEAD'
  return page(visit, { title: `${heading} | ${visit.shopName}`, body }, { status, keep: 'never', headers })
}

/** Without the shop's frame: what broke may be what makes it. The reference is ours and holds nothing but hex. */
const broken = (reference: string): string => `<!DOCTYPE html>
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
<p>We are sorry. Nothing was ordered by this request unless you see it on an order's page.</p>
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
