/** Requests of runs whose budget is used up: approvals like others, of which only the amount can be changed. */
import type { JsonObject } from '../../protocol/json.ts'
import { BUDGET_NAME } from '../../tool/name.ts'
import type { Approval, Approvals } from './approvals.ts'

export const BUDGET_LIMITS = ['money', 'calls', 'time_ms'] as const
export type BudgetLimit = (typeof BUDGET_LIMITS)[number]

export interface BudgetRequest {
  readonly approval: Approval
  readonly run: string
  readonly what: BudgetLimit
  readonly limit: number
  readonly spent: number
  /** how much more it asks for */
  readonly raise: number
  readonly step: string | null
}

const MAX_WAITING = 100_000

/** Those that wait, by their runs: each run has one at most. */
export async function waitingBudgetRequests(approvals: Approvals): Promise<ReadonlyMap<string, BudgetRequest>> {
  const waiting = await approvals.list('waiting', MAX_WAITING)
  const requests = waiting.filter(({ tool }) => tool === BUDGET_NAME)
  return new Map(
    requests.map((approval) => {
      const asked = JSON.parse(approval.args) as Omit<BudgetRequest, 'approval'>
      return [asked.run, { approval, ...asked }]
    }),
  )
}

/** The arguments that give the run this much more. */
export const withRaise = ({ approval }: BudgetRequest, raise: number): JsonObject => ({
  ...(JSON.parse(approval.args) as JsonObject),
  raise,
})
