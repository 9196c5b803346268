/** Product search over titles, niches, categories, keywords and facts, tolerant of small typing errors. */
import type { Catalogue, CatalogueItem } from './catalogue.ts'

export type ProductSearch = (typed: string) => readonly CatalogueItem[]

export const MAX_QUERY = 100

export async function buildSearch({ items }: Catalogue): Promise<ProductSearch> {
  const { default: MiniSearch } = await import('minisearch')
  const index = new MiniSearch({
    idField: 'at',
    fields: ['title', 'niche', 'category', 'keywords', 'facts'],
    searchOptions: { boost: { title: 4, niche: 2, keywords: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  })
  index.addAll(
    items.map(({ page, listing }, at) => ({
      at,
      title: page.title,
      niche: listing?.niche ?? '',
      category: listing?.category ?? '',
      keywords: [...page.keywords, ...(listing?.keywords ?? [])].join(' '),
      facts: Object.values(listing?.facts ?? {}).join(' '),
    })),
  )
  return (typed) => index.search(typed.slice(0, MAX_QUERY)).flatMap(({ id }) => items[id as number] ?? [])
}
