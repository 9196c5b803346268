/** Texts about a product, made from its facts only. */
import type { Listing } from '../../ports.ts'

export type ListingFacts = Pick<Listing, 'category' | 'niche' | 'facts'>

const NOT = /^(no|none|not\b.*)$/i

/** Material and colour, which come before measures. */
function appearance({ facts }: ListingFacts): string {
  const { material, colour, color } = facts
  const shade = colour ?? color
  return [
    ...(material === undefined ? [] : [`made of ${material}`]),
    ...(shade === undefined ? [] : [`in ${shade}`]),
  ].join(', ')
}

const LOOKS = new Set(['material', 'colour', 'color'])

/** `capacity 600 ml`; only the name for the value yes. */
function measures({ facts }: ListingFacts): string[] {
  return Object.entries(facts)
    .filter(([name]) => !LOOKS.has(name))
    .map(([name, value]) =>
      value.toLowerCase() === 'yes' ? name : NOT.test(value) ? `${name}: ${value}` : `${name} ${value}`,
    )
}

export function leadSentence(title: string, known: ListingFacts): string {
  const like = appearance(known)
  const range = `from our ${known.niche} range`
  return like === '' ? `${title} ${range}.` : `${title}, ${like}, ${range}.`
}

/** The paragraphs of a page; the first is below the title. */
export function descriptionParagraphs(title: string, known: ListingFacts): string[] {
  const measured = measures(known)
  const figures = measured.length === 0 ? [] : [`The figures: ${measured.join(', ')}.`]
  return [
    [leadSentence(title, known), ...figures].join(' '),
    `You find it in ${known.category}, under ${known.niche}, with others of its kind. The details above are what we know of it.`,
    'The price you see is the price you pay. What we have on the shelf, we send from there. What we do not have, we order from the supplier for you. Each order has a page of its own, where you can see how far it is.',
  ]
}

/** For search results: as many whole sentences as fit. */
export function metaDescriptionOf(title: string, known: ListingFacts, longest = 155): string {
  const sentences = [
    leadSentence(title, known),
    ...(measures(known).length === 0 ? [] : [`With ${measures(known).join(', ')}.`]),
    'Delivery is included.',
    'Order online and follow your parcel.',
  ]
  let text = ''
  for (const sentence of sentences) {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    if (longer.length <= longest) text = longer
  }
  return text === '' ? title.slice(0, longest) : text
}

/** All words that may be used for a product. A fact with the value no does not count. */
export const allowedWords = ({ title, category, niche, facts, keywords }: Listing): string =>
  [
    title,
    category,
    niche,
    ...keywords,
    ...Object.entries(facts).flatMap(([name, value]) => (NOT.test(value) ? [] : [name, value])),
  ].join(' ')
