/** A run by its id, or by the beginning of it where only one begins so; and whether anybody leads it. */
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { ToolError } from '../../protocol/errors.ts'
import { oneLine } from '../line.ts'

const MOST_LOOKED_AT = 10_000

export async function findRun({ runs }: Ledger, id: string): Promise<RunRow> {
  const found = await runs.find(id)
  if (found !== undefined) return found
  const alike = id.length < 3 ? [] : (await runs.list({ limit: MOST_LOOKED_AT })).filter((run) => run.id.startsWith(id))
  const [one, another] = alike
  if (one !== undefined && another === undefined) return one
  const why = one === undefined ? 'There is no run' : `${alike.length} runs begin with`
  throw new ToolError('ValidationError', `${why} ${oneLine(id, 60)}. myrmex runs list --all shows those there are.`)
}

/** Not over, at work, and the process that led it is gone. Only reads; what a killed process held shows after seconds. */
export async function isLeaderless({ db, owners }: Ledger, id: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT id FROM runs WHERE id = ? AND ended_at IS NULL AND (leader IS NULL OR ${owners.gone('runs.leader')})`,
    [id],
  )
  return rows.length > 0
}
