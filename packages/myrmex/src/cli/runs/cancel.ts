/** `myrmex runs cancel ID`: stops a run from any process. A run that no process executes is ended here. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Report } from '../../agent/run/journal/report.ts'
import { operatorName } from '../../ledger/decisions/operator-name.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print, wrap } from '../../serve/terminal.ts'
import { EXIT_UNFINISHED } from '../run/exit-code.ts'
import { notUndoneLines } from '../run/report-text.ts'
import { findRun, isAbandoned } from './find-run.ts'

const WAIT_MS = 2000
const POLL_MS = 50

export async function cancelRun(given: string, options: LedgerFlags & { reason: string }): Promise<void> {
  await withLedger(options, 'change', async (ledger) => {
    const { id, status } = await findRun(ledger, given)
    if (!(await ledger.runs.stop(id, operatorName(), options.reason))) {
      print(`run ${id} has already ended: ${status}`)
      return
    }
    const run = await waitForEnd(ledger, id, options)
    if (run.ended_at !== null) print(endText(run))
    else {
      print(`run ${id} is stopping; to see when it has stopped: npx myrmex runs show ${id}`)
      process.exitCode = EXIT_UNFINISHED
    }
  })
}

/** The run when it has ended, or after a short wait. */
async function waitForEnd(ledger: Ledger, id: string, options: LedgerFlags): Promise<RunRow> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const run = await findRun(ledger, id)
    if (run.ended_at !== null || performance.now() > until) return run
    if (await isAbandoned(ledger, id)) await withLedger(options, 'decide', (own) => endHere(own, id))
    else await pause(POLL_MS)
  }
}

/** No step starts any more, so no agent is needed. Loaded here, because the stop itself must not wait for it, and needs no key. */
async function endHere(ledger: Ledger, id: string): Promise<void> {
  const { rulesBrain } = await import('../../agent/brain/rules-brain.ts')
  const { openFleet } = await import('../../agent/fleet/fleet.ts')
  const { Runs } = await import('../../agent/run/runs.ts')
  const fleet = await openFleet({ agents: {} }, { ledger, brain: rulesBrain })
  try {
    await new Runs({ fleet, ledger, brain: rulesBrain }).execute(id)
  } finally {
    await fleet.close()
  }
}

function endText({ id, status, report }: RunRow): string {
  const { summary, stands } = JSON.parse(report ?? '{"summary":"","stands":[]}') as Pick<Report, 'summary' | 'stands'>
  const head = `${paint('yellow', status)}  ${id}: ${wrap(oneLine(summary, 600), 2).trimStart()}`
  return [head, ...notUndoneLines(stands)].join('\n')
}
