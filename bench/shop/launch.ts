/** Putting a product on sale by hand, as players do who have no fleet: through the ports, with a plain page. */
import type { EmbeddedShop } from '../../packages/dropship/src/embedded/open.ts'
import type { Platform } from '../../packages/dropship/src/ports.ts'

export interface Merchandise {
  readonly product_id: string
  readonly title: string
  readonly price: number
  readonly supplier_id: string
  /** what a piece is bought for, without shipping, in cents */
  readonly unit: number
  readonly shipping: number
  /** how well its page is made, 0 to 100 */
  readonly page: number
}

export async function launch(shop: EmbeddedShop, ware: Merchandise): Promise<string> {
  const { product_id, title, price, supplier_id, unit, shipping, page: seo_score } = ware
  const sku = `ware-${product_id}`
  const content = {
    slug: sku,
    title,
    price,
    images: [],
    template: title,
    html: title,
    meta_title: title,
    meta_description: title,
    keywords: [],
    seo_score,
  }
  await shop.storefront.publish({ product_id, sku, title, price, supplier_id, unit, shipping }, content, undefined)
  return sku
}

export interface Advert {
  readonly sku: string
  readonly title: string
  readonly platform: Platform
  /** cents */
  readonly daily: number
  readonly days: number
  /** how good its words are, 0 to 1 */
  readonly score: number
}

export async function advertise(shop: EmbeddedShop, advert: Advert): Promise<void> {
  const { sku, title, platform, daily, days, score } = advert
  const words = { sku, product_name: title, tone: 'plain', channel: platform, headline: title, body: title }
  const [creative] = await shop.ads.saveCreatives([{ ...words, call_to_action: 'Buy', score }], undefined)
  if (creative !== undefined)
    await shop.ads.start({ platform, creative_id: creative.creative_id, sku, daily, days }, undefined)
}

/** What is left of the account's cap a day, in cents. */
export async function stockRoom(shop: EmbeddedShop): Promise<number> {
  const { daily_cap, daily_committed } = await shop.ads.account()
  return daily_cap - daily_committed
}
