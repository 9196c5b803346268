/** Units of figures: which dimension a figure has, and its factor to one scale. So 1.2 kg is 1200 g, and 24 days are not a price. */
import { singular } from '../../../../english/stem.ts'

export interface Unit {
  readonly dimension: string
  readonly factor: number
}

/** Names of a unit, in the singular, with the factor to the scale of its dimension. */
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
  for (const [names, factor] of Object.entries(factors)) {
    for (const name of names.split(' ')) UNITS.set(name, { dimension, factor })
  }
}

export function unitOf(word: string): Unit | undefined {
  const lower = word.toLowerCase()
  return UNITS.get(lower) ?? UNITS.get(singular(lower))
}

const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
}

export const multiplierOf = (word: string): number | undefined => MULTIPLIERS[word.toLowerCase()]

const CURRENCIES = new Map(
  ['usd $ dollar', 'eur € euro', 'gbp £', 'jpy ¥', 'inr ₹', 'chf'].flatMap((line) => {
    const [code = '', ...names] = line.split(' ')
    return [code, ...names].map((name) => [name, code] as const)
  }),
)

export function currencyOf(word: string): string | undefined {
  const lower = word.toLowerCase()
  return CURRENCIES.get(lower) ?? CURRENCIES.get(singular(lower))
}

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
