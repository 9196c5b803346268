/** `myrmex runs show ID`: how a run stands, from the ledger alone. Changes nothing. */

import { renderVerdict } from '../../agent/render-verdict.ts'
import { eventOf, type RunEvent } from '../../agent/run/events.ts'
import { ReportSchema } from '../../agent/run/report.ts'
import { isOver } from '../../agent/run/runs.ts'
import { type RunSettings, readSettings } from '../../agent/run/settings.ts'
import { type RunState, stateOf } from '../../agent/run/state.ts'
import { type TimelineEntry, timelineOf } from '../../agent/run/timeline.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { readableJson } from '../../tool/readable-json.ts'
import { endWithReader } from '../audit/output.ts'
import { localTime } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { oneLine } from '../line.ts'
import { dataLines } from '../run/data.ts'
import { paragraphs } from '../run/paragraphs.ts'
import { problemsText } from '../run/plan-text.ts'
import { stepLines } from '../run/step-lines.ts'
import { stepViews } from '../run/steps.ts'
import { type Waits, waitsOf, waitsText } from '../run/waits.ts'
import { errorIn, money, plural, sentenceOf, took } from '../run/words.ts'
import { paint, print, wrap } from '../terminal.ts'
import { findRun, isLeaderless } from './find.ts'
import { statusText } from './list.ts'

interface Seen {
  readonly run: RunRow
  readonly settings: RunSettings
  readonly events: readonly RunEvent[]
  readonly state: RunState
  readonly waits: Waits
  /** it is at work by its status, and nobody leads it */
  readonly isLeft: boolean
  readonly timeline: readonly TimelineEntry[]
}

export async function showRun(id: string, options: LedgerChoice & { json?: boolean }): Promise<void> {
  endWithReader()
  const text = await withLedger(
    options,
    async (ledger) => {
      const seen = await look(ledger, id)
      return options.json ? readableJson(asJson(seen)) : asText(seen)
    },
    { readOnly: true },
  )
  print(text)
}

const isLed = ({ run, isLeft }: Seen): boolean => run.status === 'running' && !isLeft

async function look(ledger: Ledger, id: string): Promise<Seen> {
  const run = await findRun(ledger, id)
  const events = (await ledger.runs.events(run.id)).map(eventOf)
  const state = stateOf(events, await ledger.once.steps(run.id))
  const isLeft = run.status === 'running' && (await isLeaderless(ledger, run.id))
  const timeline = await timelineOf(ledger, run)
  const waits = await waitsOf(ledger, run.id)
  return { run, settings: readSettings(run.settings), events, state, waits, isLeft, timeline }
}

function asText(seen: Seen): string {
  const { run, state, events, waits, isLeft, timeline } = seen
  const unfit = events.findLast((event) => event.kind === 'unfit')
  const views = stepViews(state, { isLed: isLed(seen) })
  const parts = [
    facts(seen),
    unfit === undefined ? '' : problemsText(unfit.body.problems),
    views.length === 0 ? '' : [paint('bold', 'Steps:'), ...stepLines(views)].join('\n'),
    errors(state),
    verdicts(state),
    made(run),
    bullets('Notes:', state.notes),
    lately(timeline),
    next(run, waits, isLeft),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function facts({ run, settings, state, isLeft }: Seen): string {
  const { budget, approve, principal } = settings
  const limits = [
    budget.money === undefined ? '' : `${money(budget.money)} in money`,
    budget.calls === undefined ? '' : plural(budget.calls, 'call'),
    budget.time_ms === undefined ? '' : took(budget.time_ms),
  ].filter((limit) => limit !== '')
  const end = run.ended_at
  const lines: [string, string][] = [
    ['run', run.id],
    ['goal', wrap(oneLine(run.goal), 10).trimStart()],
    ['status', `${statusText(run.status, isLeft)}${isLeft ? ' (nobody leads it now)' : ''}`],
    ['phase', isOver(run.status) ? '' : (state.phase ?? '')],
    ['started', `${localTime(run.created_at)} by ${oneLine(principal.id, 60)}, approve ${approve}`],
    ['ended', end === null ? '' : `${localTime(end)}, after ${took(end - run.created_at)}`],
    ['budget', limits.join(', ')],
    ['spent', money(run.spent)],
    ['stopped', run.stopped_by === null ? '' : oneLine(`by ${run.stopped_by}: ${run.stop_reason}`, 400)],
  ]
  return lines
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${paint('dim', name.padEnd(8))}  ${text}`)
    .join('\n')
}

function errors({ failed }: RunState): string {
  if (failed.size === 0) return ''
  const lines = [...failed].map(([step, error]) => `  ${paint('red', step)}  ${wrap(errorIn(error), 4).trimStart()}`)
  return [paint('bold', 'Failed:'), ...lines].join('\n')
}

function verdicts({ verdicts: judged }: RunState): string {
  if (judged.size === 0) return ''
  const lines = [...judged].map(([step, { verdict }]) =>
    paragraphs(`  ${step}: ${renderVerdict(verdict).replaceAll('\n', '\n  ')}`),
  )
  return [paint('bold', 'Judged:'), ...lines].join('\n')
}

function made({ report }: RunRow): string {
  if (report === null) return ''
  const { made: results, summary, stands } = ReportSchema.parse(JSON.parse(report))
  const lines = results.flatMap(({ step, tool, data }) => [
    `  ${paint('cyan', oneLine(`${step}: ${tool}`, 180))}`,
    ...dataLines(data, 6),
  ])
  const head = [paint('bold', 'Report:'), wrap(oneLine(summary), 2)]
  return [...head, ...lines, ...stands.map((what) => `  ${paint('yellow', 'stands')}  ${oneLine(what, 200)}`)].join(
    '\n',
  )
}

const bullets = (head: string, items: readonly string[]): string =>
  items.length === 0
    ? ''
    : [paint('bold', head), ...items.map((item) => `  - ${wrap(oneLine(item), 4).trimStart()}`)].join('\n')

const LATELY = 6

function lately(timeline: readonly TimelineEntry[]): string {
  const width = (process.stdout.columns || 120) - 2
  const lines = timeline.slice(-LATELY).map((event) => {
    const { time, kind, step } = event
    const head = `  ${localTime(time).slice(11)}  ${kind.padEnd(10)}  `
    return `${paint('dim', head)}${oneLine(`${step === null || step === '' ? '' : `${step}: `}${sentenceOf(event)}`, Math.max(20, width - head.length))}`
  })
  return [paint('bold', 'Lately:'), ...lines].join('\n')
}

function next({ id, status }: RunRow, waits: Waits, isLeft: boolean): string {
  if (status === 'waiting') return waitsText(id, waits)
  if (isLeft) return `To go on:\n  myrmex runs resume ${id}`
  if (!isOver(status)) return `It is at work. To stop it:\n  myrmex runs cancel ${id}`
  return `All that happened:\n  myrmex runs replay ${id}`
}

function asJson(seen: Seen): object {
  const { run, settings, state, waits, timeline } = seen
  const { id, goal, status, principal, spent, created_at, ended_at, stopped_by, stop_reason } = run
  return {
    ...{ id, goal, status, led: isLed(seen), principal, spent, created_at, ended_at },
    stopped: stopped_by === null ? null : { by: stopped_by, reason: stop_reason },
    approve: settings.approve,
    budget: settings.budget,
    phase: state.phase ?? null,
    plan: state.plan ?? null,
    steps: stepViews(state, { isLed: isLed(seen) }),
    waiting_for: waits,
    report: run.report === null ? null : JSON.parse(run.report),
    timeline,
  }
}
