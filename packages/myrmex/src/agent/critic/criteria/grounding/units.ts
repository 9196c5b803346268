/** Units: which dimension a figure has, and how it is brought to one scale, so that 1.2 kg is 1200 g and 24 days are no price. */

export interface Unit {
  readonly dimension: string
  readonly factor: number
}

const table: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  time: {
    ms: 0.001,
    s: 1,
    sec: 1,
    secs: 1,
    second: 1,
    seconds: 1,
    min: 60,
    mins: 60,
    minute: 60,
    minutes: 60,
    h: 3600,
    hr: 3600,
    hrs: 3600,
    hour: 3600,
    hours: 3600,
    day: 86400,
    days: 86400,
    week: 604800,
    weeks: 604800,
  },
  months: { month: 1, months: 1, year: 12, years: 12, yr: 12, yrs: 12 },
  mass: {
    mg: 0.001,
    g: 1,
    gram: 1,
    grams: 1,
    kg: 1000,
    kilo: 1000,
    kilos: 1000,
    oz: 28.3495,
    ounce: 28.3495,
    ounces: 28.3495,
    lb: 453.592,
    lbs: 453.592,
  },
  length: {
    mm: 1,
    cm: 10,
    m: 1000,
    metre: 1000,
    metres: 1000,
    meter: 1000,
    meters: 1000,
    km: 1e6,
    inch: 25.4,
    inches: 25.4,
    ft: 304.8,
    foot: 304.8,
    feet: 304.8,
    mile: 1609344,
    miles: 1609344,
  },
  volume: { ml: 1, cl: 10, dl: 100, l: 1000, litre: 1000, litres: 1000, liter: 1000, liters: 1000 },
  percent: { '%': 1, percent: 1, pct: 1, percentage: 1 },
  money: {
    $: 1,
    '€': 1,
    '£': 1,
    '¥': 1,
    '₹': 1,
    usd: 1,
    eur: 1,
    gbp: 1,
    jpy: 1,
    inr: 1,
    chf: 1,
    dollar: 1,
    dollars: 1,
    euro: 1,
    euros: 1,
    cent: 0.01,
    cents: 0.01,
  },
  temperature: { '°c': 1, '°f': 1, celsius: 1, fahrenheit: 1 },
  power: { w: 1, kw: 1000, watt: 1, watts: 1 },
  voltage: { v: 1, volt: 1, volts: 1 },
  charge: { mah: 1, ah: 1000 },
  storage: { kb: 1, mb: 1e3, gb: 1e6, tb: 1e9 },
  rating: { star: 1, stars: 1 },
}

const UNITS = new Map(
  Object.entries(table).flatMap(([dimension, units]) =>
    Object.entries(units).map(([name, factor]): [string, Unit] => [name, { dimension, factor }]),
  ),
)

export const unitOf = (word: string): Unit | undefined => UNITS.get(word.toLowerCase())

const MULTIPLIERS = new Map([
  ['k', 1e3],
  ['thousand', 1e3],
  ['million', 1e6],
  ['mn', 1e6],
  ['bn', 1e9],
  ['billion', 1e9],
])

export const multiplierOf = (word: string): number | undefined => MULTIPLIERS.get(word.toLowerCase())

const CURRENCIES: Readonly<Record<string, string>> = {
  $: 'usd',
  dollar: 'usd',
  dollars: 'usd',
  '€': 'eur',
  euro: 'eur',
  euros: 'eur',
  '£': 'gbp',
  '¥': 'jpy',
  '₹': 'inr',
}
const CODES = new Set(['usd', 'eur', 'gbp', 'jpy', 'inr', 'chf'])

export function currencyOf(word: string): string | undefined {
  const lower = word.toLowerCase()
  return CURRENCIES[lower] ?? (CODES.has(lower) ? lower : undefined)
}

const MONEY = new Set(
  'price prices cost costs amount revenue spend budget fee msrp profit sales subtotal paid charge'.split(' '),
)
const SHARE = new Set('percent pct percentage rate share ratio margin'.split(' '))
const RATING = new Set(['rating', 'stars', 'score'])

/** What the name of a field says of its figure: `weight_g`, `lead_days`, `price`. `min_…` is a least, not a minute. */
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
