/**
 * The parameters that only the market knows: how much a product is really wanted, how good a supplier really is. They live in the
 * hidden_ tables as JSON and are read and written here and nowhere else.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Platform } from '../../ports.ts'
import { all, first, readMeta, run } from '../statements.ts'

export interface HiddenProduct {
  /** pieces a day the whole market sells, mean, at the epoch */
  readonly demand: number
  /** how the public estimate of that errs, for good: a factor */
  readonly bias: number
  /** how likely a visitor of this product is to buy, beside the average */
  readonly appeal: number
  /** at the market's price, as a positive number */
  readonly elasticity: number
  /** log growth a year, wearing off */
  readonly trend: number
  /** factors of Monday to Sunday, mean 1 */
  readonly weekly: readonly number[]
  /** day of the year of the peak, and how high in logs */
  readonly peak: number
  readonly swing: number
  /** how much it is a present, in logs, in the weeks before Christmas */
  readonly gift: number
  /** the day trends count from, as a number of days */
  readonly epoch: number
  /** where the market's price settles with eight sellers, in cents */
  readonly anchor: number
  /** where the number of sellers settles */
  readonly crowd: number
  /** how evenly sales spread over sellers: small is concentrated */
  readonly evenness: number
  readonly click_fit: Readonly<Record<Platform, number>>
  readonly buy_fit: Readonly<Record<Platform, number>>
  /** daily spend, in cents, at which a platform gives half as much for the money */
  readonly saturation: Readonly<Record<Platform, number>>
  /** share of buyers who change their mind */
  readonly remorse: number
}

export interface HiddenOffer {
  /** the price the supplier asks, and the lowest it would take, in cents */
  readonly ask: number
  readonly reserve: number
  /** rounds of talk it sits through */
  readonly patience: number
  /** exponent of its concessions: below 1 it yields late, above 1 early */
  readonly concession: number
  /** an offer below this share of its reserve offends */
  readonly offence: number
  /** share of pieces that arrive broken or wrong */
  readonly defect: number
  /** share of shipments that come later than promised, and how many days later in the mean */
  readonly late: number
  readonly delay: number
}

type Row = { parameters: string }

export const readHiddenOffer = (db: DatabaseSync, supplier_id: string, product_id: string): HiddenOffer | undefined => {
  const found = 'SELECT parameters FROM hidden_offers WHERE supplier_id = ? AND product_id = ?'
  const row = first<Row>(db, found, supplier_id, product_id)
  return row && (JSON.parse(row.parameters) as HiddenOffer)
}

/** They follow from these three and never change, so what was read of a file is kept. */
const read = new WeakMap<DatabaseSync, { readonly world: string; readonly found: Map<string, HiddenProduct> }>()

export const readHiddenProducts = (db: DatabaseSync): ReadonlyMap<string, HiddenProduct> => {
  const count = first<{ count: number }>(db, 'SELECT count(*) AS count FROM hidden_products')?.count
  const world = `${readMeta(db, 'seed')} ${readMeta(db, 'since')} ${count}`
  const known = read.get(db)
  if (known?.world === world) return known.found
  const rows = all<Row & { product_id: string }>(
    db,
    'SELECT product_id, parameters FROM hidden_products ORDER BY product_id',
  )
  const found = new Map(rows.map((row) => [row.product_id, JSON.parse(row.parameters) as HiddenProduct]))
  read.set(db, { world, found })
  return found
}

export const saveHiddenProduct = (db: DatabaseSync, product_id: string, hidden: HiddenProduct): void => {
  run(db, 'INSERT INTO hidden_products VALUES (?, ?)', product_id, JSON.stringify(hidden))
}

export const saveHiddenOffer = (
  db: DatabaseSync,
  supplier_id: string,
  product_id: string,
  hidden: HiddenOffer,
): void => {
  run(db, 'INSERT INTO hidden_offers VALUES (?, ?, ?)', supplier_id, product_id, JSON.stringify(hidden))
}
