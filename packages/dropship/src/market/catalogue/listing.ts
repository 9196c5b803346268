/** Makes one listing of a niche in words: a title no other has, its facts, keywords and picture. */
import { pick, pickSome, type Stream } from '../random.ts'
import { COLOURS, type Niche, QUALITIES } from './niches.ts'

export interface Wording {
  readonly title: string
  readonly facts: Readonly<Record<string, string>>
  readonly keywords: readonly string[]
}

export const imageOf = (product_id: string): string => `/shop/images/${product_id}.svg`

/** `taken` holds the titles there are; the new one is added. A third word, then a number, tells namesakes apart. */
export const wordListing = (dice: Stream, niche: Niche, taken: Set<string>): Wording => {
  const thing = pick(dice, niche.things)
  const material = pick(dice, niche.materials)
  const colour = pick(dice, COLOURS)
  const quality = pick(dice, QUALITIES)
  const candidates = [
    `${material} ${thing}`,
    `${quality} ${thing}`,
    `${colour} ${material} ${thing}`,
    `${quality} ${material} ${thing} in ${colour}`,
  ]
  const start = Math.floor(dice() * 3)
  const wanted = [...candidates.slice(start), ...candidates.slice(0, start)]
  const free =
    wanted.find((title) => !taken.has(title)) ?? `${quality} ${colour} ${material} ${thing} No. ${taken.size + 1}`
  taken.add(free)
  const facts: Record<string, string> = { material: material.toLowerCase(), colour: colour.toLowerCase() }
  for (const [name, values] of Object.entries(niche.facts)) facts[name] = pick(dice, values)
  const own = thing.toLowerCase()
  const keywords = [...new Set([own, niche.niche.toLowerCase(), ...pickSome(dice, niche.keywords, 4)])]
  return { title: free, facts, keywords }
}

export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
