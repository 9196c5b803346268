/** Visits of a day, by product and channel; those the storefront has counted stay. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { insertRows } from '../statements.ts'

/** Day, sku, channel and visits, one row after the other. */
export type VisitRows = SQLInputValue[]

export const countVisits = (db: DatabaseSync, rows: VisitRows): void =>
  insertRows(db, 'visits', 4, rows, 'ON CONFLICT (day, sku, channel) DO UPDATE SET visits = visits + excluded.visits')
