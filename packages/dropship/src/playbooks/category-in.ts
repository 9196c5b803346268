/** The marketplace category that a goal is about. */
import type { Shop } from '../ports.ts'

/** The category or niche that the goal names. The longest name wins. */
export async function categoryIn(goal: string, known: unknown, shop: Shop): Promise<string | undefined> {
  if (typeof known === 'string' && known.trim() !== '') return known
  const text = goal.toLowerCase()
  const categories = await shop.marketplace.categories()
  const names = categories.flatMap(({ category, niches }) => [category, ...niches])
  return names.filter((name) => text.includes(name.toLowerCase())).sort((a, b) => b.length - a.length)[0]
}

export async function categoryQuestion({ marketplace }: Shop): Promise<{ input: string; question: string }> {
  const names = (await marketplace.categories()).map(({ category }) => category).join(', ')
  return { input: 'category', question: `Which category? The marketplace has ${names}.` }
}
