/** The shop whose fleet is killed: small, seeded, and with enough of everything that only a crash could make an order fail. */
import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createShop } from '../../packages/dropship/src/index.ts'

/** A forecast of the next month, which every launch makes, wants half a year of history. */
const WORLD = { listings: 40, products: 12, history: 200 }
/** Stock of every supplier for every product: so much that the market adds none, so every missing piece was bought. */
export const SUPPLIER_STOCK = 1_000_000

/**
 * Sales never pause and the ad account has no cap to speak of, so that a run that fails has met a fault. Some products get a
 * shelf, so that orders are sent from it, from the supplier, and from both.
 */
const PLENTY = `
  UPDATE meta SET value = '1' WHERE name = 'pause_sales_above';
  UPDATE meta SET value = '100000000' WHERE name = 'ads_daily_cap';
  UPDATE offers SET stock = ${SUPPLIER_STOCK};
  INSERT INTO stock_moves (sku, day, change, why)
    SELECT sku, (SELECT value FROM meta WHERE name = 'today'), 25, 'bought in' FROM products WHERE reorder_point > 0;
  UPDATE products SET on_hand = on_hand + 25 WHERE reorder_point > 0;
  UPDATE products SET reserved = min(on_hand, (SELECT coalesce(sum(quantity), 0) FROM orders JOIN order_lines USING (order_id)
    WHERE status = 'paid' AND order_lines.sku = products.sku));`

export async function makeShop(file: string): Promise<void> {
  await createShop({ file, seed: 1, ...WORLD })
  const db = new DatabaseSync(file)
  db.exec(PLENTY)
  // A file that is to be copied must be whole by itself.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** The content of the shop before the first kill: its history, which has no keys. */
export interface ShopSnapshot {
  readonly has: (what: string, id: unknown) => boolean
}

const IDS = {
  shipment: 'SELECT order_id FROM shipments',
  reply: 'SELECT ticket_id FROM replies',
  campaign: 'SELECT campaign_id FROM campaigns',
  quote: 'SELECT quote_id FROM quotes',
  talk: 'SELECT talk_id FROM talks',
  page: 'SELECT page_id FROM pages',
  product: 'SELECT sku FROM products',
  creative: 'SELECT creative_id FROM creatives',
  purchase: 'SELECT purchase_id FROM purchases',
  message: 'SELECT message_id FROM messages',
} as const
export type RecordKind = keyof typeof IDS

/** Everything of a kind that is in the shop now, by its id. */
export const idsOf = (db: DatabaseSync, thing: RecordKind): string[] =>
  db
    .prepare(IDS[thing])
    .all()
    .map((row) => String(Object.values(row)[0]))

export function snapshotShop(file: string): ShopSnapshot {
  const known = new Set<string>()
  readShop(file, (db) => {
    for (const thing of Object.keys(IDS) as RecordKind[]) for (const id of idsOf(db, thing)) known.add(`${thing} ${id}`)
  })
  return { has: (what, id) => known.has(`${what} ${String(id)}`) }
}

export function readShop<T>(file: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { timeout: 10_000 })
  try {
    db.exec('BEGIN')
    return work(db)
  } finally {
    db.close()
  }
}

export const copyShop = (from: string, to: string): void => copyFileSync(from, to)
