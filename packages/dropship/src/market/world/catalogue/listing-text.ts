/** Writes the texts of a listing: a unique title, facts, keywords and an image. */
import type { Listing } from '../../../ports.ts'
import { type Dice, pick, pickSome } from '../../random.ts'
import { coloursOf, type Niche, QUALITIES } from './niches.ts'

type ListingText = Pick<Listing, 'title' | 'facts' | 'keywords'>

/** Texts that are given in advance. */
export interface FixedListing {
  readonly title: string
  /** one of the niche's */
  readonly thing: string
  readonly colour: string
}

export const imageOf = (product_id: string): string => `/shop/images/${product_id}.svg`

/** `taken` holds the existing titles; the new one is added. A third word or a number makes a title unique. */
export const writeListingText = (dice: Dice, niche: Niche, taken: Set<string>, given?: FixedListing): ListingText => {
  const drawn = pick(dice, niche.things)
  const { name, materials, without } = niche.things.find((thing) => thing.name === given?.thing) ?? drawn
  const material = pick(dice, materials)
  const { colours, telling } = coloursOf(material)
  const colour = pick(dice, colours)
  const quality = pick(dice, QUALITIES)
  // A Silk Mask is already named after its material.
  const made = name.includes(material) ? name : `${material} ${name}`
  const candidates = [
    made,
    `${quality} ${name}`,
    ...(telling ? [`${colour} ${made}`, `${quality} ${made} in ${colour}`] : [`${quality} ${made}`]),
  ]
  const start = Math.floor(dice() * Math.min(3, candidates.length))
  const wanted = [...candidates.slice(start), ...candidates.slice(0, start)]
  const free =
    given?.title ?? wanted.find((title) => !taken.has(title)) ?? `${quality} ${made} in ${colour} No. ${taken.size + 1}`
  taken.add(free)
  const facts: Record<string, string> = {
    material: material.toLowerCase(),
    colour: given?.colour ?? colour.toLowerCase(),
  }
  for (const [fact, values] of Object.entries(niche.facts)) {
    const value = pick(dice, values)
    if (!without.includes(fact)) facts[fact] = value
  }
  const own = given === undefined ? name : given.title
  const keywords = [...new Set([own.toLowerCase(), niche.niche.toLowerCase(), ...pickSome(dice, niche.keywords, 4)])]
  return { title: free, facts, keywords }
}

export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
