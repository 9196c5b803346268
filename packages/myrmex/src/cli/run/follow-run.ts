/** Executes a run in this process, shows it, asks at the terminal if there is one, and prints how it ended. */

import type { ActiveRun } from '../../agent/run/active-run.ts'
import { raisedBudget } from '../../agent/run/budget-request.ts'
import { type EventBodies, eventOf } from '../../agent/run/journal/events.ts'
import { ReportSchema } from '../../agent/run/journal/report.ts'
import { stateOf } from '../../agent/run/journal/state.ts'
import type { Runs } from '../../agent/run/runs.ts'
import { type OpenSettings, readOpenSettings } from '../../agent/run/settings.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { onSignals } from '../../serve/signals.ts'
import { paint } from '../../serve/terminal.ts'
import { exitCodeOf } from './exit-code.ts'
import { pendingDecisions, pendingText } from './pending.ts'
import { planText, problemsText, toolsByName, trustAdvice } from './plan-text.ts'
import { TerminalPrompts } from './prompts.ts'
import { reportText } from './report-text.ts'
import type { Screen, ScreenChoice } from './screen.ts'

/** Sets the exit code. */
export async function followRun(runs: Runs, id: string, shown: ScreenChoice, screen: Screen): Promise<void> {
  const settings = readOpenSettings(await runs.find(id))
  const people = shown.canAsk ? new TerminalPrompts(runs, screen, shown.output) : undefined
  // So that the run can be resumed.
  const release = onSignals(() => {
    screen.note(`releasing run ${id} after the calls in flight; press Ctrl-C again to exit at once`)
    void runs.close()
  }, 130)
  const shownPlans: Promise<void>[] = []
  let isOurs = true
  await runs.environment.ledger.trust.refresh()
  try {
    for (;;) {
      const row = await runs.execute(id, {
        onEvent: (event) => {
          screen.onEvent(event)
          if (event.kind === 'planned') shownPlans.push(showPlanned(runs, screen, shown, event.body))
          if (event.kind === 'unfit' && shown.isLive) screen.show(problemsText(event.body.problems))
        },
        onActive: (run: ActiveRun) => {
          screen.onActive(run)
          if (release.isStopping) run.release()
        },
      })
      isOurs = row !== undefined
      if (row?.status !== 'waiting' || release.isStopping || people === undefined) break
      // With --approve all nobody is asked, unless the ledger is locked and another process took the passphrase.
      const asks = settings.approve === 'ask' || (settings.approve === 'all' && runs.environment.signer === undefined)
      if (!(await people.decide(id, asks))) break
    }
  } finally {
    release.dispose()
    screen.end()
    await Promise.all(shownPlans)
  }
  await showEnd(runs, await runs.find(id), settings, screen, isOurs)
}

/** Shows the plan on a terminal, and reports tools that are not trusted enough before it asks for approval. */
async function showPlanned(
  runs: Runs,
  screen: Screen,
  { isLive }: ScreenChoice,
  body: EventBodies['planned'],
): Promise<void> {
  const { plan, by, notes, warnings, cost, levels } = body
  const { fleet, ledger } = runs.environment
  const tools = toolsByName(fleet.views())
  if (isLive) screen.show(planText(plan, { by, cost, levels, notes: [...notes, ...warnings] }, tools))
  const found = [...new Set(plan.steps.map(({ tool }) => tool))].flatMap(
    (name) => fleet.server.registry.find(name) ?? [],
  )
  for (const tool of found) {
    const advice = trustAdvice(tool, ledger.trust.levelOf(tool))
    if (advice === undefined) continue
    screen.note(advice)
    // Recorded now, because this process may end before the server does it, and `myrmex trust` must find the tool.
    await (tool.origin === 'own' ? ledger.trust.recordDefinitions([tool]) : ledger.trust.pin(tool))
  }
}

async function showEnd(
  runs: Runs,
  run: RunRow,
  settings: OpenSettings,
  screen: Screen,
  isOurs: boolean,
): Promise<void> {
  const { id, status } = run
  process.exitCode = exitCodeOf(status)
  if (run.report !== null) {
    const report = ReportSchema.parse(JSON.parse(run.report))
    const { ledger } = runs.environment
    const state = stateOf((await ledger.runs.events(id)).map(eventOf), [])
    screen.show(reportText(run, report, { budget: await raisedBudget(ledger, id, state, settings.budget) }))
    screen.json({ kind: 'report', status, report })
    return
  }
  const waits = await pendingDecisions(runs.environment.ledger, id)
  screen.json({ kind: 'report', status, report: null, ...waits })
  if (status === 'waiting') screen.show(pendingText(id, waits))
  else screen.show(unfinishedText(id, isOurs))
}

const unfinishedText = (id: string, isOurs: boolean): string =>
  [
    paint('yellow', `Run ${id} ${isOurs ? 'was released and is unfinished' : 'is executed by another process'}.`),
    isOurs ? `  npx myrmex runs resume ${id}  to continue` : `  npx myrmex runs show ${id}    to see its progress`,
    `  npx myrmex runs cancel ${id}  to cancel it`,
  ].join('\n')
