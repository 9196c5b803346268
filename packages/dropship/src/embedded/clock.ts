/** The shop's own day, as the market left it. */
import type { Clock } from '../ports.ts'
import type { Store } from './database/store.ts'

export const clock = (store: Store): Clock => ({ today: async () => store.today() })
