/**
 * Sentences that can be said of a product, each with the fact it comes from. There is no sentence here without one: what the
 * data lacks cannot be written.
 */
import type { ProductFacts } from './product-facts.ts'

export type Angle = 'features' | 'reviews' | 'price' | 'service' | 'scarcity'

export interface Sentence {
  readonly angle: Angle
  /** the fact it says */
  readonly fact: string
  /** ways to say it; those that speak to the reader first */
  readonly wordings: readonly string[]
  /** for a headline, after the title and a colon */
  readonly headline: string
}

/** With so few pieces left it is true to say that they may run out. */
export const SCARCE_STOCK = 10
/** Fewer reviews say little about a product, and a rating from them would mislead. */
const ENOUGH_REVIEWS = 10

export function sentencesOf(known: ProductFacts): Sentence[] {
  return [
    ...scarcity(known),
    ...known.facts.flatMap(({ name, value }) => feature(name, value)),
    ...reviews(known),
    {
      angle: 'price',
      fact: 'price',
      wordings: [`You get it for ${money(known)}.`, `It is yours for ${money(known)}.`, `The price: ${money(known)}.`],
      headline: money(known),
    },
    ...service(known),
  ]
}

const money = ({ price, currency }: ProductFacts): string => `${price.toFixed(2)} ${currency}`

function scarcity({ available }: ProductFacts): Sentence[] {
  if (available === undefined || available < 1 || available > SCARCE_STOCK) return []
  const pieces = available === 1 ? '1 piece is' : `${available} pieces are`
  return [
    {
      angle: 'scarcity',
      fact: 'stock',
      wordings: [`Only ${pieces} left in our stock.`, `Get yours: only ${pieces} left in our stock.`],
      headline: `only ${available} left`,
    },
  ]
}

function reviews({ rating, reviews: count }: ProductFacts): Sentence[] {
  if (rating === undefined || count < ENOUGH_REVIEWS) return []
  return [
    {
      angle: 'reviews',
      fact: 'rating',
      wordings: [
        `See what ${count} reviews say: ${rating} out of 5.`,
        `Rated ${rating} out of 5 in ${count} reviews.`,
        `${count} reviews give it ${rating} out of 5.`,
      ],
      headline: `rated ${rating} out of 5`,
    },
  ]
}

function service({ policyFigures }: ProductFacts): Sentence[] {
  const { return_days, warranty_months, shipping_cost } = policyFigures
  const sentence = (from: string, ways: string[], short: string): Sentence => ({
    angle: 'service',
    fact: from,
    wordings: ways,
    headline: short,
  })
  return [
    ...(return_days === undefined
      ? []
      : [
          sentence(
            'return_days',
            [
              `You have ${return_days} days to return it.`,
              `Return it within ${return_days} days if you change your mind.`,
            ],
            `${return_days} days to return it`,
          ),
        ]),
    ...(warranty_months === undefined
      ? []
      : [
          sentence(
            'warranty_months',
            [`You have ${warranty_months} months of warranty.`, `It comes with ${warranty_months} months of warranty.`],
            `${warranty_months} months of warranty`,
          ),
        ]),
    ...(shipping_cost === 0
      ? [sentence('shipping_cost', ['You get it with free shipping.', 'Shipping is free.'], 'free shipping')]
      : []),
  ]
}

const NO_VALUE = /^(?:no|none|none needed|n\/a|-|0)$/i
const MEASURE = /^\d[\d.,\-–x ]*\s?(?:mm|cm|m|g|kg|ml|l|lm|w|mah|hours|minutes)$/i
const COUNT = /^\d+(?:[-–]\d+)?$/
const QUALITY = /(?:able|proof|safe|free|resistant)$/i
/** Names that read on into their value: works with, load up to. */
const READS_INTO_VALUE = /(?:^works\b|\bup to$|\bwith$|\bfor$)/i

/** A fact in words, whatever its name. What the product is not or lacks is left unsaid. */
function feature(name: string, value: string): Sentence[] {
  if (NO_VALUE.test(value)) return []
  const made = (ways: readonly string[], short: string): Sentence[] => [
    { angle: 'features', fact: name, wordings: ways, headline: short },
  ]
  const isYes = /^yes$/i.test(value)
  if (isYes && /^works\b/i.test(name)) return made([`It ${name}.`], name)
  if (isYes) return QUALITY.test(name) ? made([`You get one that is ${name}.`, `It is ${name}.`], name) : []
  if (QUALITY.test(name)) {
    // `waterproof: splash proof` must not read as waterproof.
    return /^(?:at|by|in|up to)\b/i.test(value) ? made([`${capital(name)} ${value}.`], `${name} ${value}`) : []
  }
  if (name === 'material') return made([`You get it made of ${value}.`, `Made of ${value}.`], value)
  if (name === 'colour' || name === 'color')
    return made([`You get it in ${value}.`, `It comes in ${value}.`], `in ${value}`)
  if (READS_INTO_VALUE.test(name)) return made([`${capital(name)} ${value}.`], `${name} ${value}`)
  if (COUNT.test(value) && /s$/.test(name))
    return value === '1' ? [] : made([`You get ${value} ${name}.`, `It has ${value} ${name}.`], `${value} ${name}`)
  // Nothing ends in a unit or a size of one letter: with its full stop that reads as an abbreviation, and the next sentence as its rest.
  if (MEASURE.test(value))
    return made([`You get ${value} in ${name}.`, `It has ${value} in ${name}.`], `${name} ${value}`)
  if (/(?:^|[\s\d])\p{L}$/u.test(value)) return made([`You get ${name} ${value} here.`], `${name} ${value}`)
  return made([`${capital(name)}: ${value}.`], `${name} ${value}`)
}

const capital = (text: string): string => text.replace(/^./u, (letter) => letter.toUpperCase())
