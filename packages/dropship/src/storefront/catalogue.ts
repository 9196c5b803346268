/** Everything that the shop shows: each product on sale, its page, and its listing on the marketplace. */
import type { Listing, Page, Product, Shop } from '../ports.ts'

export interface CatalogueItem {
  readonly page: Page
  readonly product: Product
  /** undefined: the marketplace no longer lists it */
  readonly listing: Listing | undefined
}

export interface Category {
  readonly name: string
  readonly count: number
}

export interface Catalogue {
  /** one per product, with its newest page, sorted by title */
  readonly items: readonly CatalogueItem[]
  /** every published page, so that an older URL of a product works too */
  readonly bySlug: ReadonlyMap<string, CatalogueItem>
  readonly bySku: ReadonlyMap<string, CatalogueItem>
  readonly categories: readonly Category[]
}

const PAGE_SIZE = 500

export const categoryOf = ({ listing }: CatalogueItem): string => listing?.category ?? 'Other'

export async function readCatalogue(shop: Shop): Promise<Catalogue> {
  const [pages, products, listings] = await Promise.all([
    readAllPages(
      (after) => shop.storefront.pages({ after, limit: PAGE_SIZE }),
      ({ page_id }) => page_id,
    ),
    readAllPages(
      (after) => shop.storefront.products({ after, limit: PAGE_SIZE }),
      ({ sku }) => sku,
    ),
    shop.marketplace.listings(),
  ])
  const productOf = new Map(products.map((product) => [product.sku, product]))
  const listingOf = new Map(listings.map((listing) => [listing.product_id, listing]))
  const bySlug = new Map<string, CatalogueItem>()
  const bySku = new Map<string, CatalogueItem>()
  for (const page of pages) {
    const product = productOf.get(page.sku)
    if (page.status !== 'published' || product === undefined) continue
    const item = { page, product, listing: listingOf.get(product.product_id) }
    bySlug.set(page.slug, item)
    const other = bySku.get(page.sku)
    if (other === undefined || isNewer(page, other.page)) bySku.set(page.sku, item)
  }
  const items = [...bySku.values()].sort((one, two) => compare(one.page.title, two.page.title))
  return { items, bySlug, bySku, categories: categoriesOf(items) }
}

const compare = (one: string, two: string): number => (one < two ? -1 : one > two ? 1 : 0)

const numberOf = ({ page_id }: Page): number => Number(page_id.replace(/\D/g, ''))

const isNewer = (one: Page, two: Page): boolean =>
  one.made_on === two.made_on ? numberOf(one) > numberOf(two) : one.made_on > two.made_on

function categoriesOf(items: readonly CatalogueItem[]): Category[] {
  const named = [...Map.groupBy(items, categoryOf)].map(([name, { length: count }]) => ({ name, count }))
  return named.sort((one, two) => compare(one.name, two.name))
}

async function readAllPages<Row>(
  read: (after: string | undefined) => Promise<readonly Row[]>,
  id: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const last = rows.at(-1)
    const part = await read(last === undefined ? undefined : id(last))
    rows.push(...part)
    if (part.length < PAGE_SIZE) return rows
  }
}
