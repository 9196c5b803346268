// What we set out to reach: each aim is a ratio between us and one peer in one scenario. A ratio above the aim is
// met, whether it comes from rates (ours over theirs) or from times (theirs over ours).
import type { TargetName } from './targets.ts'

export type Scenario = 'ledger' | 'stdio' | 'stdio_modern' | 'http' | 'inproc' | 'echo10k' | 'list1000' | 'start'

export type Aim = { id: string; scenario: Scenario; peer: Exclude<TargetName, 'ours'>; aim: number }

export const aims: readonly Aim[] = [
  { id: 'audited_vs_unrecorded', scenario: 'ledger', peer: 'unrecorded', aim: 0.7 },
  { id: 'stdio_vs_sdk2', scenario: 'stdio', peer: 'sdk2', aim: 7 },
  { id: 'stdio_vs_tmcp', scenario: 'stdio', peer: 'tmcp', aim: 2.5 },
  { id: 'stdio_vs_bare', scenario: 'stdio', peer: 'bare', aim: 0.7 },
  { id: 'stdio_modern_vs_sdk2', scenario: 'stdio_modern', peer: 'sdk2', aim: 7 },
  { id: 'http_vs_sdk2', scenario: 'http', peer: 'sdk2', aim: 7 },
  { id: 'http_vs_tmcp', scenario: 'http', peer: 'tmcp', aim: 3.5 },
  { id: 'http_vs_bare', scenario: 'http', peer: 'bare', aim: 0.8 },
  { id: 'inproc_vs_sdk2', scenario: 'inproc', peer: 'sdk2', aim: 10 },
  { id: 'inproc_vs_tmcp', scenario: 'inproc', peer: 'tmcp', aim: 3 },
  { id: 'echo10k_vs_bare', scenario: 'echo10k', peer: 'bare', aim: 0.9 },
  { id: 'list1000_vs_sdk2', scenario: 'list1000', peer: 'sdk2', aim: 20 },
  { id: 'start_vs_sdk2', scenario: 'start', peer: 'sdk2', aim: 1 },
]

/** Of the host, which has no peer: a call through it at most so many times as long as directly; a thousand tools listed within. */
export const hostAims = { call: 1.6, listMs: 50 } as const
