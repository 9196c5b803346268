/** The product list: all, one category, or search results, in pages. */
import { type CatalogueItem, categoryOf } from '../catalogue.ts'
import type { Reply } from '../reply.ts'
import { MAX_QUERY } from '../search.ts'
import { page, type Visit } from '../visit.ts'
import { type FramedPage, imageOrigins, productTile } from './product-document.ts'

const PER_PAGE = 24

export function listPage(visit: Visit): Reply | undefined {
  const { url, catalogue } = visit
  const category = url.searchParams.get('category') ?? undefined
  if (category !== undefined && !catalogue.categories.some(({ name }) => name === category)) return undefined
  const items =
    category === undefined ? catalogue.items : catalogue.items.filter((item) => categoryOf(item) === category)
  const heading = category ?? 'All products'
  return listPageNumber(visit, items, {
    heading,
    title: `${heading} | ${visit.shopName}`,
    description: `${heading} at ${visit.shopName}: ${items.length} products, delivery included.`,
    canonical: category === undefined ? '/shop/' : `/shop/?category=${encodeURIComponent(category)}`,
    summary: items.length === 1 ? '1 product' : `${items.length} products`,
    ...(category === undefined ? { allShown: true } : { category }),
  })
}

export async function searchPage(visit: Visit): Promise<Reply | undefined> {
  const query = (visit.url.searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY)
  const items = query === '' ? [] : (await visit.search())(query)
  const found = items.length === 1 ? '1 product found' : `${items.length} products found`
  return listPageNumber(visit, items, {
    heading: query === '' ? 'Search' : `Search: ${query}`,
    title: `Search | ${visit.shopName}`,
    summary: query === '' ? 'Type what you are looking for.' : found,
    query,
  })
}

interface ListPage extends Omit<FramedPage, 'body'> {
  readonly heading: string
  readonly summary: string
}

/** Undefined: there is no page with that number. */
function listPageNumber(
  visit: Visit,
  items: readonly CatalogueItem[],
  { heading, summary, canonical, ...framed }: ListPage,
): Reply | undefined {
  const asked = visit.url.searchParams.get('page') ?? '1'
  const last = Math.max(1, Math.ceil(items.length / PER_PAGE))
  const number = /^\d{1,6}$/.test(asked) ? Number(asked) : 0
  if (number < 1 || number > last) return undefined
  const shown = items.slice((number - 1) * PER_PAGE, number * PER_PAGE)
  const to = (other: number): string | undefined =>
    other < 1 || other > last ? undefined : addressOf(visit.url, other)
  const body = visit.engine.view('list', {
    heading,
    summary,
    items: shown.map((item) => productTile(item, visit.shop.currency)),
    number,
    last,
    before: to(number - 1),
    after: to(number + 1),
  })
  const origins = imageOrigins(shown.flatMap((item) => item.page.images.slice(0, 1)))
  const own = number === 1 ? canonical : canonical && addressOf(new URL(canonical, visit.url), number)
  return page(visit, { ...framed, body, ...(own !== undefined && { canonical: own }) }, { imageOrigins: origins })
}

function addressOf({ pathname, searchParams }: URL, number: number): string {
  const query = new URLSearchParams([...searchParams].filter(([name]) => name === 'category' || name === 'q'))
  if (number > 1) query.set('page', String(number))
  return query.size === 0 ? pathname : `${pathname}?${query}`
}
