/** A storefront on a socket of its own, and shoppers who keep their cookies, for tests. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { EmbeddedShop } from '../../packages/dropship/src/embedded/open.ts'
import type { Shop } from '../../packages/dropship/src/ports.ts'
import { storefrontSecret } from '../../packages/dropship/src/storefront/checkout/secret.ts'
import { type StorefrontOptions, storefront } from '../../packages/dropship/src/storefront/storefront.ts'
import { smallShop } from './test-shops.ts'

export interface OpenStorefront {
  readonly shop: EmbeddedShop
  readonly origin: string
  /** a shopper who was never here */
  shopper(): Shopper
}

/** The shop is open until the test is over. */
export async function openStorefront(
  options: Partial<StorefrontOptions> & { shop?: EmbeddedShop } = {},
): Promise<OpenStorefront> {
  const { shop = await smallShop(), ...rest } = options
  const handle = storefront(async (): Promise<Shop> => shop, { secret: storefrontSecret(shop.db), ...rest })
  const server = createServer(async (request, response) => {
    if (!(await handle(request, response))) response.writeHead(418).end('not the storefront')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await shop.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { shop, origin, shopper: () => new Shopper(origin) }
}

export class Shopper {
  readonly #origin: string
  cookie = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  async get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<PageSeen> {
    return this.#seen(
      await fetch(this.#origin + path, { method, redirect: 'manual', headers: { cookie: this.cookie, ...headers } }),
    )
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PageSeen> {
    const body = new URLSearchParams(fields)
    const sent = { cookie: this.cookie, origin: this.#origin, ...headers }
    return this.#seen(await fetch(this.#origin + path, { method: 'POST', redirect: 'manual', body, headers: sent }))
  }

  async #seen(response: Response): Promise<PageSeen> {
    const cookie = response.headers.get('set-cookie')
    if (cookie !== null) this.cookie = cookie.slice(0, cookie.indexOf(';'))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Puts it in the cart and opens the order form; the slip that the form holds. */
  async slipFor(sku: string, quantity = 1): Promise<string> {
    await this.post('/shop/cart', { sku, quantity: String(quantity), do: 'add' })
    return csrfTokenIn(await this.get('/shop/order'))
  }
}

export interface PageSeen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export function csrfTokenIn({ text }: PageSeen): string {
  const slip = /name="slip" value="([^"]+)"/.exec(text)?.[1]
  if (slip === undefined) throw new Error(`No slip in: ${text.slice(0, 300)}`)
  return slip
}

export const ADA = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  street: 'St James Square 12',
  city: 'London',
  postal_code: 'SW1Y 4LB',
  country: 'GB',
}
