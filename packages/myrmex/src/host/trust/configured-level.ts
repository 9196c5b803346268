/** Which level `trust` in the operator's file gives a definition. */
import type { TrustLevel } from '../../ledger/decisions/trust-row.ts'
import type { Tool } from '../../tool/tool.ts'
import type { ConfiguredTrust } from '../settings.ts'

export const RANK: Readonly<Record<TrustLevel, number>> = { untrusted: 0, verified: 1, trusted: 2 }

export function levelFor({ destructive }: Pick<Tool, 'destructive'>, configured: ConfiguredTrust): TrustLevel {
  if (configured === 'none' || (configured === 'verified' && destructive)) return 'untrusted'
  return destructive ? 'trusted' : 'verified'
}
