/**
 * The parameters that only the market knows, such as a product's true demand and a supplier's true quality. They are stored in the hidden_
 * tables as JSON, and only this file reads and writes them.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Platform } from '../../ports.ts'
import { all, first, readMeta, run } from '../statements.ts'
import type { DrawnOffer } from './draw-world.ts'

export interface HiddenProduct {
  /** mean units a day that the whole market sells at the epoch */
  readonly demand: number
  /** permanent error of the public estimate, as a factor */
  readonly bias: number
  /** how likely a visitor of this product is to buy, relative to the average */
  readonly appeal: number
  /** at the market's price, as a positive number */
  readonly elasticity: number
  /** yearly growth as a logarithm; it wears off */
  readonly trend: number
  /** factors for Monday to Sunday, mean 1 */
  readonly weekly: readonly number[]
  /** day of the year of the seasonal peak, and its height as a logarithm */
  readonly peak: number
  readonly swing: number
  /** extra demand as a present before Christmas, as a logarithm */
  readonly gift: number
  /** the day number from which the trend counts */
  readonly epoch: number
  /** the market's price with eight sellers, in cents */
  readonly anchor: number
  /** the usual number of sellers */
  readonly crowd: number
  /** how evenly sales spread over the sellers; small is concentrated */
  readonly evenness: number
  readonly click_fit: Readonly<Record<Platform, number>>
  readonly buy_fit: Readonly<Record<Platform, number>>
  /** daily spend in cents at which a platform returns half as much per cent */
  readonly saturation: Readonly<Record<Platform, number>>
  /** share of buyers who change their mind */
  readonly remorse: number
}

export interface HiddenOffer {
  /** the price the supplier asks, and the lowest it would take, in cents */
  readonly ask: number
  readonly reserve: number
  /** rounds of negotiation it accepts */
  readonly patience: number
  /** exponent of its concessions: below 1 it concedes late, above 1 early */
  readonly concession: number
  /** an offer below this share of its reserve offends */
  readonly offence: number
  /** share of units that arrive broken or wrong */
  readonly defect: number
  /** share of late shipments, and their mean delay in days */
  readonly late: number
  readonly delay: number
}

type Row = { parameters: string }

export const readHiddenOffer = (db: DatabaseSync, supplier_id: string, product_id: string): HiddenOffer | undefined => {
  const found = 'SELECT parameters FROM hidden_offers WHERE supplier_id = ? AND product_id = ?'
  const row = first<Row>(db, found, supplier_id, product_id)
  return row && (JSON.parse(row.parameters) as HiddenOffer)
}

/** Hidden products are determined by seed, first day and count and never change, so they are cached per file. */
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

export const saveHiddenOffer = (db: DatabaseSync, { supplier_id, product_id, hidden }: DrawnOffer): void => {
  run(db, 'INSERT INTO hidden_offers VALUES (?, ?, ?)', supplier_id, product_id, JSON.stringify(hidden))
}
