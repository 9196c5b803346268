/** The ids of new records: a prefix and the next number of their kind, counted in the transaction that uses it. */
import { type NumberedKind, nextNumber } from '../../market/statements.ts'
import type { Store } from './store.ts'

const PREFIX: Readonly<Record<NumberedKind, string>> = {
  pages: 'p_',
  creatives: 'c_',
  campaigns: 'cmp_',
  quotes: 'q_',
  purchases: 'po_',
  tickets: 't_',
  orders: '',
}

export const nextId = (store: Store, kind: NumberedKind): string => `${PREFIX[kind]}${nextNumber(store.db, kind)}`
