/** Units of figures: which dimension a figure has, and its factor to one scale. So 1.2 kg is 1200 g, and 24 days are not a price. */
import { singular } from '../../../../english/stem.ts'

export interface Unit {
  readonly dimension: string
  readonly factor: number
}

/** `{ 'min minute': 60 }` has one entry for each of the names, which are in the singular. */
const byName = <T>(table: Readonly<Record<string, T>>): Map<string, T> =>
  new Map(Object.entries(table).flatMap(([names, value]) => names.split(' ').map((name) => [name, value])))

/** Names of a unit with the factor to the scale of its dimension. */
const FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  time: { ms: 0.001, 's sec second': 1, 'min minute': 60, 'h hr hour': 3600, day: 86400, week: 604800 },
  months: { month: 1, 'year yr': 12 },
  mass: { mg: 0.001, 'g gram': 1, 'kg kilo': 1000, 'oz ounce': 28.3495, lb: 453.592 },
  length: { mm: 1, cm: 10, 'm metre meter': 1000, km: 1e6, inch: 25.4, 'ft foot feet': 304.8, mile: 1609344 },
  volume: { ml: 1, cl: 10, dl: 100, 'l litre liter': 1000 },
  percent: { '% percent pct percentage': 1 },
  money: { '$ € £ ¥ ₹ usd eur gbp jpy inr chf dollar euro': 1, cent: 0.01 },
  temperature: { '°c °f celsius fahrenheit': 1 },
  power: { 'w watt': 1, kw: 1000 },
  voltage: { 'v volt': 1 },
  charge: { mah: 1, ah: 1000 },
  storage: { kb: 1, mb: 1e3, gb: 1e6, tb: 1e9 },
  rating: { star: 1 },
}

const UNITS = new Map<string, Unit>()
for (const [dimension, factors] of Object.entries(FACTORS)) {
  for (const [name, factor] of byName(factors)) UNITS.set(name, { dimension, factor })
}
const CURRENCIES = byName({
  'usd $ dollar': 'usd',
  'eur € euro': 'eur',
  'gbp £': 'gbp',
  'jpy ¥': 'jpy',
  'inr ₹': 'inr',
  chf: 'chf',
})
const MULTIPLIERS = byName({ 'k thousand': 1e3, 'mn million': 1e6, 'bn billion': 1e9 })

/** By a word of a text, in any case and number. */
const found = <T>(names: ReadonlyMap<string, T>, word: string): T | undefined =>
  names.get(word.toLowerCase()) ?? names.get(singular(word.toLowerCase()))

export const unitOf = (word: string): Unit | undefined => found(UNITS, word)
export const currencyOf = (word: string): string | undefined => found(CURRENCIES, word)
export const multiplierOf = (word: string): number | undefined => MULTIPLIERS.get(word.toLowerCase())

const MONEY = new Set(
  'price prices cost costs amount revenue spend budget fee msrp profit sales subtotal paid charge'.split(' '),
)
const SHARE = new Set('percent pct percentage rate share ratio margin'.split(' '))
const RATING = new Set(['rating', 'stars', 'score'])

/** The unit that the name of a field gives to its figure: `weight_g`, `lead_days`, `price`. `min_…` is a least, not a minute. */
export function unitOfKey(key: string): Unit | undefined {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z%]+/)
    .filter((word) => word !== '')
  for (const [index, word] of words.entries()) {
    if (index < words.length - 1 && word.length < 4) continue
    const unit = word === 'min' ? undefined : unitOf(word)
    if (unit !== undefined) return unit
  }
  if (words.some((word) => SHARE.has(word))) return unitOf('%')
  if (words.some((word) => MONEY.has(word))) return unitOf('$')
  return words.some((word) => RATING.has(word)) ? unitOf('stars') : undefined
}
