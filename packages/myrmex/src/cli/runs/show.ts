/** `myrmex runs show ID`: the state of a run, from the ledger alone. Changes nothing. */

import { raisedBudget } from '../../agent/run/budget-request.ts'
import { eventOf } from '../../agent/run/journal/events.ts'
import { ReportSchema } from '../../agent/run/journal/report.ts'
import { type RunState, stateOf } from '../../agent/run/journal/state.ts'
import { type TimelineEntry, timelineOf } from '../../agent/run/journal/timeline.ts'
import { isOver } from '../../agent/run/runs.ts'
import { readOpenSettings } from '../../agent/run/settings.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { bulletList, factLines, oneLine, paint, print, section, wrap } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { localTime } from '../audit/format.ts'
import { dataLines } from '../run/data-lines.ts'
import { describeEvent, errorText, formatDuration, money } from '../run/event-text.ts'
import { type PendingDecisions, pendingDecisions, pendingText } from '../run/pending.ts'
import { problemsText } from '../run/plan-text.ts'
import { notUndoneLines, verdictsText } from '../run/report-text.ts'
import { stepLines, stepViews } from '../run/step-views.ts'
import { findRun, isLeft } from './find-run.ts'
import { statusText } from './list.ts'

export async function showRun(id: string, options: LedgerFlags & { json?: boolean }): Promise<void> {
  const text = await withLedger(options, 'read-only', async (ledger) => {
    const seen = await readRun(ledger, id)
    return options.json ? readableJson(asJson(seen)) : asText(seen)
  })
  print(text)
}

const isExecuted = ({ run, hasNoProcess }: RunOverview): boolean => run.status === 'running' && !hasNoProcess

type RunOverview = Awaited<ReturnType<typeof readRun>>

async function readRun(ledger: Ledger, id: string) {
  const run = await findRun(ledger, id)
  const events = (await ledger.runs.events(run.id)).map(eventOf)
  const state = stateOf(events, await ledger.idempotency.steps(run.id))
  const hasNoProcess = await isLeft(ledger, run)
  const timeline = await timelineOf(ledger, run)
  const waits = await pendingDecisions(ledger, run.id)
  const settings = readOpenSettings(run)
  const budget = await raisedBudget(ledger, run.id, state, settings.budget)
  return { run, settings, budget, events, state, waits, hasNoProcess, timeline }
}

function asText(seen: RunOverview): string {
  const { run, state, events, waits, hasNoProcess, timeline } = seen
  const unfit = events.findLast((event) => event.kind === 'unfit')
  const views = stepViews(state, { isExecuted: isExecuted(seen) })
  const parts = [
    factsText(seen),
    unfit === undefined ? '' : problemsText(unfit.body.problems),
    section('Steps:', stepLines(views)),
    errorsText(state),
    verdictsText([...state.verdicts].map(([step, { verdict }]) => [step, verdict])),
    resultText(run),
    bulletList('Notes:', state.notes),
    recentText(timeline),
    nextText(run, waits, hasNoProcess),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function factsText({ run, settings, budget, state, hasNoProcess }: RunOverview): string {
  const { approve, principal } = settings
  const limits = [
    budget.money === undefined ? '' : `${money(budget.money)} in money`,
    budget.calls === undefined ? '' : plural(budget.calls, 'call'),
    budget.time_ms === undefined ? '' : formatDuration(budget.time_ms),
  ].filter((limit) => limit !== '')
  const end = run.ended_at
  return factLines([
    ['run', run.id],
    ['goal', wrap(oneLine(run.goal), 9).trimStart()],
    ['status', `${statusText(run.status, hasNoProcess)}${hasNoProcess ? ' (no process executes it)' : ''}`],
    ['phase', isOver(run.status) ? '' : (state.phase ?? '')],
    ['started', `${localTime(run.created_at)} by ${oneLine(principal.id, 60)}, approve ${approve}`],
    ['ended', end === null ? '' : `${localTime(end)}, after ${formatDuration(end - run.created_at)}`],
    ['budget', limits.join(', ')],
    ['spent', money(run.spent)],
    ['stopped', run.stopped_by === null ? '' : oneLine(`by ${run.stopped_by}: ${run.stop_reason}`, 400)],
  ]).join('\n')
}

function errorsText({ failed }: RunState): string {
  const lines = [...failed].map(([step, error]) => `  ${paint('red', step)}  ${wrap(errorText(error), 4).trimStart()}`)
  return section('Failed:', lines)
}

function resultText({ report }: RunRow): string {
  if (report === null) return ''
  const { made: results, summary, stands } = ReportSchema.parse(JSON.parse(report))
  const lines = results.flatMap(({ step, tool, data }) => [
    `  ${paint('cyan', oneLine(`${step}: ${tool}`, 180))}`,
    ...dataLines(data, 6),
  ])
  return section('Report:', [wrap(oneLine(summary), 2), ...lines, ...notUndoneLines(stands)])
}

const RECENT_EVENTS = 6

function recentText(timeline: readonly TimelineEntry[]): string {
  const width = (process.stdout.columns || 120) - 2
  const lines = timeline.slice(-RECENT_EVENTS).map((event) => {
    const { time, kind, step } = event
    const head = `  ${localTime(time).slice(11)}  ${kind.padEnd(10)}  `
    return `${paint('dim', head)}${oneLine(`${step === null || step === '' ? '' : `${step}: `}${describeEvent(event)}`, Math.max(20, width - head.length))}`
  })
  return section('Recent events:', lines)
}

function nextText({ id, status }: RunRow, waits: PendingDecisions, hasNoProcess: boolean): string {
  if (status === 'waiting') return pendingText(id, waits)
  if (hasNoProcess) return `To continue:\n  npx myrmex runs resume ${id}`
  if (!isOver(status)) return `It is running. To stop it:\n  npx myrmex runs cancel ${id}`
  return `To see all events:\n  npx myrmex runs replay ${id}`
}

function asJson(seen: RunOverview): object {
  const { run, settings, budget, state, waits, timeline } = seen
  const { id, goal, status, principal, spent, created_at, ended_at, stopped_by, stop_reason } = run
  return {
    ...{ id, goal, status, led: isExecuted(seen), principal, spent, created_at, ended_at },
    stopped: stopped_by === null ? null : { by: stopped_by, reason: stop_reason },
    approve: settings.approve,
    budget,
    phase: state.phase ?? null,
    plan: state.plan ?? null,
    steps: stepViews(state, { isExecuted: isExecuted(seen) }),
    waiting_for: waits,
    report: run.report === null ? null : JSON.parse(run.report),
    timeline,
  }
}
