// What we set out to reach. Most aims are a ratio between us and one peer in one scenario: above the aim is good, whether the ratio
// comes from rates (ours over theirs) or from times (theirs over ours). The others are what a figure must not be above.
import type { Spread } from './measure/spread.ts'
import type { TargetName } from './targets.ts'

export type Scenario = 'ledger' | 'stdio' | 'stdio_modern' | 'http' | 'inproc' | 'echo10k' | 'list1000' | 'start'

export type Aim = { id: string; scenario: Scenario; peer: Exclude<TargetName, 'ours'>; aim: number }

export const aims: readonly Aim[] = [
  { id: 'audited_vs_unrecorded', scenario: 'ledger', peer: 'unrecorded', aim: 0.85 },
  { id: 'stdio_vs_sdk2', scenario: 'stdio', peer: 'sdk2', aim: 7 },
  { id: 'stdio_vs_tmcp', scenario: 'stdio', peer: 'tmcp', aim: 2.4 },
  { id: 'stdio_vs_bare', scenario: 'stdio', peer: 'bare', aim: 0.58 },
  { id: 'stdio_modern_vs_sdk2', scenario: 'stdio_modern', peer: 'sdk2', aim: 8 },
  { id: 'http_vs_sdk2', scenario: 'http', peer: 'sdk2', aim: 7 },
  { id: 'http_vs_tmcp', scenario: 'http', peer: 'tmcp', aim: 3.5 },
  { id: 'http_vs_bare', scenario: 'http', peer: 'bare', aim: 0.8 },
  { id: 'inproc_vs_sdk2', scenario: 'inproc', peer: 'sdk2', aim: 10 },
  { id: 'inproc_vs_tmcp', scenario: 'inproc', peer: 'tmcp', aim: 3.3 },
  { id: 'echo10k_vs_bare', scenario: 'echo10k', peer: 'bare', aim: 0.75 },
  { id: 'list1000_vs_sdk2', scenario: 'list1000', peer: 'sdk2', aim: 20 },
  { id: 'start_vs_sdk2', scenario: 'start', peer: 'sdk2', aim: 1 },
]

/** A figure with what it must not be above. */
export interface AtMost {
  readonly id: string
  readonly measured: Spread
  readonly atMost: number
}

/** Of the gates, by name: microseconds that a call which uses the gate takes longer. */
export const gateAims = { limit: 6, idempotency: 35, approve: 3 } as const

/** Of runs: their steps over the same calls made by hand, with idempotency keys. */
export const runAim = 1.1

/**
 * Of the host: a call through it over the direct call, over one through a process that only copies bytes, and over HTTP over the best
 * gateway of others; milliseconds in which a thousand tools are listed.
 */
export const hostAims = { direct: 1.6, copied: 1.3, gateway: 0.7, listMs: 50 } as const

/** Of two processes on one PostgreSQL: processor time a call, servers and database, over that of one process. */
export const postgresAim = 1.25

/** Of a journal of a million records: seconds to verify it, in groups of 64 and of one, of the first query, and until that shows progress. */
export const auditAims = {
  records: 1_000_000,
  verifyGroups: 5,
  verifySingles: 30,
  firstQuery: 3,
  firstProgress: 1,
} as const
