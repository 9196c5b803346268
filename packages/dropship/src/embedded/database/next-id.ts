/** The ids of what the shop makes: letters and the next number of its kind. Counted in the transaction that uses them. */
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
