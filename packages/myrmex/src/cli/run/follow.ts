/** Leads a run here, shows it, asks at the terminal where somebody sits there, and says in the end how it stands. */
import type { Bodies } from '../../agent/run/events.ts'
import type { LedRun } from '../../agent/run/office.ts'
import { ReportSchema } from '../../agent/run/report.ts'
import type { Runs } from '../../agent/run/runs.ts'
import { type RunSettings, readSettings } from '../../agent/run/settings.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { paint } from '../terminal.ts'
import type { Shown } from './choose-screen.ts'
import { exitCodeOf } from './exit-code.ts'
import { letGoOnSignal } from './let-go.ts'
import { People } from './people.ts'
import { planText, problemsText, toolsOf, wantsTrust } from './plan-text.ts'
import { reportText } from './report-text.ts'
import type { Screen } from './screen.ts'
import { waitsOf, waitsText } from './waits.ts'

/** The run as it stands afterwards, shown; its exit code is set. */
export async function follow(runs: Runs, id: string, shown: Shown, screen: Screen): Promise<void> {
  const settings = readSettings((await runs.find(id)).settings)
  const people = shown.isAttended ? new People(runs, screen, shown.output) : undefined
  const letGo = letGoOnSignal(runs, screen, id)
  const seen: Promise<void>[] = []
  let led = true
  await runs.office.ledger.trust.refresh()
  try {
    for (;;) {
      const row = await runs.lead(id, {
        onHappening: (happening) => {
          screen.heard(happening)
          if (happening.kind === 'planned') seen.push(planned(runs, screen, shown, happening.body))
          if (happening.kind === 'unfit' && shown.isLive) screen.show(problemsText(happening.body.problems))
        },
        onLed: (run: LedRun) => {
          screen.led(run)
          if (letGo.asked) run.leave()
        },
      })
      led = row !== undefined
      if (row?.status !== 'waiting' || letGo.asked || people === undefined) break
      if (!(await people.decide(id, settings.approve === 'ask'))) break
    }
  } finally {
    letGo.forget()
    screen.end()
    await Promise.all(seen)
  }
  await conclude(runs, await runs.find(id), settings, screen, led)
}

/** On a terminal the plan is shown in full. What would be refused for want of trust is said before anybody is asked. */
async function planned(runs: Runs, screen: Screen, { isLive }: Shown, body: Bodies['planned']): Promise<void> {
  const { plan, by, notes, warnings, cost, levels } = body
  const { fleet, ledger } = runs.office
  const tools = toolsOf(fleet.views())
  if (isLive) screen.show(planText(plan, { by, cost, levels, notes: [...notes, ...warnings] }, tools))
  const found = [...new Set(plan.steps.map(({ tool }) => tool))].flatMap(
    (name) => fleet.server.registry.find(name) ?? [],
  )
  for (const tool of found) {
    const advice = wantsTrust(tool, ledger.trust.levelOf(tool))
    if (advice === undefined) continue
    screen.note(advice)
    // This process may be gone before the server gets to it, and whoever decides must find it.
    await (tool.origin === 'own' ? ledger.trust.see([tool]) : ledger.trust.pin(tool))
  }
}

async function conclude(runs: Runs, run: RunRow, settings: RunSettings, screen: Screen, led: boolean): Promise<void> {
  const { id, status } = run
  process.exitCode = exitCodeOf(status)
  if (run.report !== null) {
    const report = ReportSchema.parse(JSON.parse(run.report))
    screen.show(reportText(run, report, settings))
    screen.object({ kind: 'report', status, report })
    return
  }
  const waits = await waitsOf(runs.office.ledger, id)
  screen.object({ kind: 'report', status, report: null, ...waits })
  if (status === 'waiting') screen.show(waitsText(id, waits))
  else screen.show(led ? letGoText(id) : elsewhereText(id))
}

const letGoText = (id: string): string =>
  [
    paint('yellow', `Run ${id} was let go and is not over.`),
    `  myrmex runs resume ${id}  goes on`,
    `  myrmex runs cancel ${id}  ends it`,
  ].join('\n')

const elsewhereText = (id: string): string =>
  [
    paint('yellow', `Run ${id} is led by another process.`),
    `  myrmex runs show ${id}    how far it is`,
    `  myrmex runs cancel ${id}  ends it`,
  ].join('\n')
