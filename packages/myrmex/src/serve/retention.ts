/** Takes audit lines away that are older than the policy wants them kept: when a server starts, and every hour. */
import type { Ledger } from '../ledger/ledger.ts'
import { log } from '../server/log.ts'

const HOUR_MS = 3_600_000

export function pruneRegularly(ledger: Ledger, days: number): void {
  const prune = async (): Promise<void> => {
    const { prune } = await import('../ledger/audit/retention.ts')
    const gone = await prune(ledger, Date.now() - days * 24 * HOUR_MS)
    if (gone.length > 0) log.info({ segments: gone.length, keep_days: days }, 'old audit lines were taken away')
  }
  const now = (): void => {
    prune().catch((thrown) => log.error({ thrown }, 'old audit lines could not be taken away'))
  }
  setInterval(now, HOUR_MS).unref()
  // A moment after the start, which has better things to do.
  setTimeout(now, 1000).unref()
}
