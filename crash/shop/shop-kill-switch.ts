/** Moments in the life of the shop's file at which a process may die: around every statement that writes, and every COMMIT. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { KillSwitch } from '../runs/kill-switch.ts'

/**
 * statement and happening: of the ledger, see runs/moment.ts. write: a statement of the shop within a transaction that changes
 * it. commit: its end. day: a statement of the market while days are simulated, of which there are many.
 */
export type ShopHook = 'statement' | 'happening' | 'write' | 'commit' | 'day'

/** About how often each comes while some runs come to their end. */
export const SHOP_MOSTS: Readonly<Record<ShopHook, number>> = {
  statement: 300,
  happening: 50,
  write: 300,
  commit: 50,
  day: 800,
}

const WAYS = ['all', 'get', 'run', 'iterate'] as const

export interface WatchedShop {
  /** what is done in it is the market's */
  simulating<T>(work: () => T): T
}

export function watchShop(db: DatabaseSync, fuse: KillSwitch<ShopHook>): WatchedShop {
  let isMarket = false
  let isWriting = false
  const tell = (hook: 'write' | 'commit'): void => {
    if (isWriting) fuse(isMarket ? 'day' : hook)
  }
  const around = <Args extends unknown[], Answer>(hook: 'write' | 'commit', work: (...args: Args) => Answer) => {
    return (...args: Args): Answer => {
      tell(hook)
      const answer = work(...args)
      tell(hook)
      return answer
    }
  }
  const exec = db.exec.bind(db)
  const prepare = db.prepare.bind(db)
  db.exec = (sql) => {
    if (/^\s*BEGIN IMMEDIATE/i.test(sql)) isWriting = true
    around(/^\s*COMMIT/i.test(sql) ? 'commit' : 'write', exec)(sql)
    if (!db.isTransaction) isWriting = false
  }
  db.prepare = (...given) => {
    const statement: StatementSync = prepare(...given)
    for (const way of WAYS) {
      const work = statement[way].bind(statement) as (...args: unknown[]) => unknown
      Object.defineProperty(statement, way, { value: around('write', work) })
    }
    return statement
  }
  return {
    simulating(work) {
      isMarket = true
      try {
        return work()
      } finally {
        isMarket = false
      }
    },
  }
}
