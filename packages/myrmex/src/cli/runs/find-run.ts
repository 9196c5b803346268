/** Finds a run by its id or an unambiguous prefix, and tells whether a process executes it. */
import type { Ledger } from '../../ledger/ledger.ts'
import { isAlive, THIS_PROCESS } from '../../ledger/process-identity.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { ToolError } from '../../protocol/errors.ts'
import { oneLine } from '../../serve/terminal.ts'

const MAX_SEARCHED = 10_000
const MIN_PREFIX = 3

export async function findRun({ runs }: Ledger, id: string): Promise<RunRow> {
  const found = await runs.find(id)
  if (found !== undefined) return found
  const alike =
    id.length < MIN_PREFIX ? [] : (await runs.list({ limit: MAX_SEARCHED })).filter((run) => run.id.startsWith(id))
  const [one, another] = alike
  if (one !== undefined && another === undefined) return one
  const why = one === undefined ? 'There is no run' : `${alike.length} runs start with`
  const hint = id.length < MIN_PREFIX ? ` Give at least ${MIN_PREFIX} characters of its id.` : ''
  throw ToolError.of(
    'ValidationError',
    `${why} ${oneLine(id, 60)}.${hint} To list all runs: npx myrmex runs list --all`,
  )
}

/** Its status is running, but no process executes it. */
export const isLeft = async (ledger: Ledger, { id, status }: RunRow): Promise<boolean> =>
  status === 'running' && (await isAbandoned(ledger, id))

/** Unfinished, and the process that executed it has released it or ended. Only reads. */
export async function isAbandoned({ db, processes }: Ledger, id: string): Promise<boolean> {
  const [run] = await db.query<{
    pid: number | null
    born: string | null
    place: string | null
    gone: number | boolean
  }>(
    `SELECT owners.pid, owners.born, owners.place, (leader IS NULL OR ${processes.isGoneSql('runs.leader')}) AS gone
     FROM runs LEFT JOIN owners ON owners.id = runs.leader WHERE runs.id = ? AND ended_at IS NULL`,
    [id],
  )
  if (run === undefined) return false
  // On the same machine the process can be checked before its lease expires.
  const { pid, born, place } = run
  const isDead = place !== null && place === THIS_PROCESS?.place && pid !== null && born !== null && !isAlive(pid, born)
  return Boolean(run.gone) || isDead
}
