/** `myrmex runs budget ID`: gives a run more of what it asks for, or refuses it. The decision is that about its approval. */
import {
  BUDGET_LIMITS,
  type BudgetLimit,
  waitingBudgetRequests,
  withRaise,
} from '../../ledger/decisions/budget-requests.ts'
import { parseDuration } from '../../protocol/duration.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { say } from '../../serve/terminal.ts'
import { decideApprovals } from '../approvals/decide.ts'
import { findRun } from './find-run.ts'

export interface BudgetOptions extends LedgerFlags {
  money?: string
  calls?: string
  time?: string
  refuse?: boolean
  note?: string
}

export async function raiseBudget(given: string, options: BudgetOptions): Promise<void> {
  const { run, request } = await withLedger(options, 'read-only', async (ledger) => {
    const { id } = await findRun(ledger, given)
    return { run: id, request: (await waitingBudgetRequests(ledger.approvals)).get(id) }
  })
  if (request === undefined)
    throw ToolError.of(
      'ValidationError',
      `Run ${run} does not ask for more budget. To see what it waits for: npx myrmex runs show ${run}`,
    )
  const { approval, what } = request
  const { ledger, ledgerKey, note } = options
  const flags = {
    ...(ledger !== undefined && { ledger }),
    ...(ledgerKey !== undefined && { ledgerKey }),
    ...(note !== undefined && { note }),
  }
  if (options.refuse) return decideApprovals('deny', [approval.id], flags)
  const amounts = { money: numberOf(options.money), calls: numberOf(options.calls), time_ms: timeOf(options.time) }
  const other = BUDGET_LIMITS.find((limit) => limit !== what && amounts[limit] !== undefined)
  if (other !== undefined)
    throw ToolError.of(
      'ValidationError',
      `Run ${run} asks for more ${nameOf(what)}, not ${nameOf(other)}. Use --${nameOf(what)}, or no amount to give what it asks for.`,
    )
  const amount = amounts[what]
  await decideApprovals('approve', [approval.id], {
    ...flags,
    ...(amount !== undefined && { arguments: JSON.stringify(withRaise(request, amount)) }),
  })
  // The person said no, or somebody else was first.
  if (!process.exitCode) say(`to continue: npx myrmex runs resume ${run}`)
}

const nameOf = (limit: BudgetLimit): string => (limit === 'time_ms' ? 'time' : limit)

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (text.trim() !== '' && number > 0 && Number.isFinite(number)) return number
  throw ToolError.of('ValidationError', `"${text}" is not an amount above 0.`)
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw ToolError.of('ValidationError', `"${text}" is not a time. Use one such as 90s, 15m or 2h.`)
}
