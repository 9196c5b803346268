/** Visits of a day, by product and channel; those the storefront has counted stay. */
import type { DatabaseSync } from 'node:sqlite'
import { run } from './statements.ts'

export const countVisits = (db: DatabaseSync, day: string, sku: string, channel: string, visits: number): void => {
  run(
    db,
    'INSERT INTO visits VALUES (?, ?, ?, ?) ON CONFLICT (day, sku, channel) DO UPDATE SET visits = visits + excluded.visits',
    day,
    sku,
    channel,
    visits,
  )
}
