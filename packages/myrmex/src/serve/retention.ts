/** Prunes audit records that are older than the policy's `keep_days`: when a server starts, and every hour. */
import type { Ledger } from '../ledger/ledger.ts'
import { log } from '../server/log.ts'

const HOUR_MS = 3_600_000

export function pruneRegularly(ledger: Ledger, days: number): void {
  const prune = async (): Promise<void> => {
    const { prune } = await import('../ledger/audit/retention.ts')
    const gone = await prune(ledger, Date.now() - days * 24 * HOUR_MS)
    if (gone.length > 0) log.info({ segments: gone.length, keep_days: days }, 'old audit records were pruned')
  }
  const now = (): void => {
    prune().catch((thrown) => log.error({ thrown }, 'old audit records could not be pruned'))
  }
  setInterval(now, HOUR_MS).unref()
  // Not during the start, which must be quick.
  setTimeout(now, 1000).unref()
}
