/** `myrmex runs list`: runs in columns, the newest first. */
import { readOpenSettings } from '../../agent/run/settings.ts'
import type { RunRow, RunStatus } from '../../ledger/runs.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, padColumns, paint, print, say } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { localTime } from '../audit/format.ts'
import { formatDuration, money } from '../run/event-text.ts'
import { isLeft } from './find-run.ts'

const MAX_LISTED = 1000
const RECENT_MS = 24 * 3_600_000

export async function listRuns(options: LedgerFlags & { all?: boolean; json?: boolean }): Promise<void> {
  const found = await withLedger(options, 'read-only', async (ledger) => {
    const rows = await ledger.runs.list({ limit: MAX_LISTED })
    const since = Date.now() - RECENT_MS
    const wanted = rows.filter(({ ended_at }) => options.all || ended_at === null || ended_at > since)
    return Promise.all(wanted.map(async (row) => ({ row, hasNoProcess: await isLeft(ledger, row) })))
  })
  if (options.json) print(readableJson(found.map(({ row, hasNoProcess }) => asJson(row, hasNoProcess))))
  else if (found.length === 0) print(options.all ? 'no runs' : 'no unfinished or recent runs; to list all: --all')
  else print(columns(found))
  if (found.length === MAX_LISTED) say(`showing the newest ${MAX_LISTED}; there are more`)
}

const COLOURS: Readonly<Record<RunStatus, Parameters<typeof paint>[0]>> = {
  running: 'cyan',
  waiting: 'yellow',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'yellow',
  refused: 'yellow',
}

/** A run that no process executes is not running, whatever its status. */
const statusWord = (status: RunStatus, hasNoProcess: boolean): string => (hasNoProcess ? 'left' : status)
const paintStatus = (status: RunStatus, hasNoProcess: boolean, text: string): string =>
  paint(hasNoProcess ? 'yellow' : COLOURS[status], text)
export const statusText = (status: RunStatus, hasNoProcess: boolean): string =>
  paintStatus(status, hasNoProcess, statusWord(status, hasNoProcess))

function columns(found: readonly { row: RunRow; hasNoProcess: boolean }[]): string {
  const widths: number[] = []
  const cells = padColumns(
    found.map(({ row, hasNoProcess }) => [statusWord(row.status, hasNoProcess), spanOf(row), spentOf(row)]),
    [1, 2],
    widths,
  )
  const room = (process.stdout.columns || 120) - (14 + 19 + 5 * 2 + widths.reduce((sum, width) => sum + width, 0))
  return found
    .map(({ row, hasNoProcess }, index) => {
      const [status = '', span, spent] = cells[index] ?? []
      const goal = oneLine(row.goal, Math.max(20, room))
      const started = paint('dim', localTime(row.created_at))
      return [paint('bold', row.id), paintStatus(row.status, hasNoProcess, status), started, span, spent, goal].join(
        '  ',
      )
    })
    .join('\n')
}

const spanOf = ({ created_at, ended_at }: RunRow): string => formatDuration((ended_at ?? Date.now()) - created_at)

function spentOf(run: RunRow): string {
  const { money: most } = readOpenSettings(run).budget
  return most === undefined ? `${money(run.spent)} spent` : `${money(run.spent)} of ${money(most)}`
}

const asJson = (
  { id, goal, status, principal, spent, created_at, updated_at, ended_at }: RunRow,
  hasNoProcess: boolean,
): object => ({
  id,
  goal,
  status,
  led: status === 'running' && !hasNoProcess,
  principal,
  spent,
  created_at,
  updated_at,
  ended_at,
})
