/**
 * Sentences about a product, each based on one fact. There is no sentence without a fact, so nothing can be claimed that the data
 * does not contain.
 */
import { capitalise } from 'myrmex/text'
import type { ProductFacts } from './product-facts.ts'

export type Angle = 'features' | 'reviews' | 'price' | 'service' | 'scarcity'

export interface Sentence {
  readonly angle: Angle
  /** name of the fact */
  readonly fact: string
  /** alternatives; those that address the reader first */
  readonly wordings: readonly string[]
  /** short form for a headline, after the title and a colon */
  readonly headline: string
}

/** With at most this many units left, an ad may say that they run out. */
export const SCARCE_STOCK = 10
/** A rating from fewer reviews would mislead. */
const ENOUGH_REVIEWS = 10

export const sentencesOf = (known: ProductFacts): Sentence[] => [
  ...scarcity(known),
  ...known.facts.flatMap(({ name, value }) => feature(name, value)),
  ...reviews(known),
  ...price(known),
  ...service(known),
]

function* scarcity({ available }: ProductFacts): Generator<Sentence> {
  if (available === undefined || available < 1 || available > SCARCE_STOCK) return
  const pieces = available === 1 ? '1 piece is' : `${available} pieces are`
  const wordings = [`Only ${pieces} left in our stock.`, `Get yours: only ${pieces} left in our stock.`]
  yield { angle: 'scarcity', fact: 'stock', wordings, headline: `only ${available} left` }
}

function* reviews({ rating, reviews: count }: ProductFacts): Generator<Sentence> {
  if (rating === undefined || count < ENOUGH_REVIEWS) return
  const wordings = [
    `See what ${count} reviews say: ${rating} out of 5.`,
    `Rated ${rating} out of 5 in ${count} reviews.`,
    `${count} reviews give it ${rating} out of 5.`,
  ]
  yield { angle: 'reviews', fact: 'rating', wordings, headline: `rated ${rating} out of 5` }
}

function* price({ price: amount, currency }: ProductFacts): Generator<Sentence> {
  const money = `${amount.toFixed(2)} ${currency}`
  const wordings = [`You get it for ${money}.`, `It is yours for ${money}.`, `The price: ${money}.`]
  yield { angle: 'price', fact: 'price', wordings, headline: money }
}

function* service({ policyFigures }: ProductFacts): Generator<Sentence> {
  const { return_days, warranty_months, shipping_cost } = policyFigures
  const angle = 'service'
  if (return_days !== undefined) {
    const headline = `${return_days} days to return it`
    const wordings = [`You have ${headline}.`, `Return it within ${return_days} days if you change your mind.`]
    yield { angle, fact: 'return_days', wordings, headline }
  }
  if (warranty_months !== undefined) {
    const headline = `${warranty_months} months of warranty`
    const wordings = [`You have ${headline}.`, `It comes with ${headline}.`]
    yield { angle, fact: 'warranty_months', wordings, headline }
  }
  if (shipping_cost === 0) {
    const wordings = ['You get it with free shipping.', 'Shipping is free.']
    yield { angle, fact: 'shipping_cost', wordings, headline: 'free shipping' }
  }
}

const NO_VALUE = /^(?:no|none|none needed|n\/a|-|0)$/i
const MEASURE = /^\d[\d.,\-–x ]*\s?(?:mm|cm|m|g|kg|ml|l|lm|w|mah|hours|minutes)$/i
const COUNT = /^\d+(?:[-–]\d+)?$/
const QUALITY = /(?:able|proof|safe|free|resistant)$/i
/** Names that continue into their value: works with, load up to. */
const READS_INTO_VALUE = /(?:^works\b|\bup to$|\bwith$|\bfor$)/i

/** A fact as a sentence. A feature that the product lacks is not mentioned. */
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
    return /^(?:at|by|in|up to)\b/i.test(value) ? made([`${capitalise(name)} ${value}.`], `${name} ${value}`) : []
  }
  if (name === 'material') return made([`You get it made of ${value}.`, `Made of ${value}.`], value)
  if (name === 'colour' || name === 'color')
    return made([`You get it in ${value}.`, `It comes in ${value}.`], `in ${value}`)
  if (READS_INTO_VALUE.test(name)) return made([`${capitalise(name)} ${value}.`], `${name} ${value}`)
  if (COUNT.test(value) && /s$/.test(name))
    return value === '1' ? [] : made([`You get ${value} ${name}.`, `It has ${value} ${name}.`], `${value} ${name}`)
  // No sentence ends in a unit or a one-letter size: with the full stop it would read as an abbreviation.
  if (MEASURE.test(value))
    return made([`You get ${value} in ${name}.`, `It has ${value} in ${name}.`], `${name} ${value}`)
  if (/(?:^|[\s\d])\p{L}$/u.test(value)) return made([`You get ${name} ${value} here.`], `${name} ${value}`)
  return made([`${capitalise(name)}: ${value}.`], `${name} ${value}`)
}
