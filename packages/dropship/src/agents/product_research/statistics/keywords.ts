/**
 * Words that distinguish listings: frequent in these, rare in others (tf-idf). The sellers' keywords and the words of titles count.
 */
import type { Listing } from '../../../ports.ts'

/** Best first. `others` are all listings, including these. */
export function keywordsOf(listings: readonly Listing[], others: readonly Listing[], count: number): string[] {
  const within = frequencies(listings)
  const everywhere = frequencies(others)
  return [...within]
    .map(([term, times]) => ({
      term,
      weight: (times / listings.length) * Math.log((1 + others.length) / (1 + (everywhere.get(term) ?? 0)) + 1),
    }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
    .slice(0, count)
    .map(({ term }) => term)
}

/** The number of listings that contain each term. */
function frequencies(listings: readonly Listing[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const listing of listings) for (const term of termsOf(listing)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

const JOINING = new Set(['with', 'and', 'for', 'the', 'from', 'set'])

function termsOf({ title, keywords }: Listing): Set<string> {
  const words = title.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  return new Set([
    ...keywords.map((keyword) => keyword.toLowerCase().trim()).filter((keyword) => keyword !== ''),
    ...words.filter((word) => !JOINING.has(word)),
  ])
}
