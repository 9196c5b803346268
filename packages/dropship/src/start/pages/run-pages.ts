/** Runs as pages: the list, and one run with its plan, its progress and what it waits for. */

import type { RunEvent, Runs } from 'myrmex/runs'
import { eventOf } from 'myrmex/runs'
import { escapeHtml } from 'myrmex/text'
import { htmlTable, type PlainPage } from './layout.ts'

const MAX_RUNS = 100

export async function runsPage({ environment }: Runs): Promise<PlainPage> {
  const rows = await environment.ledger.runs.list({ limit: MAX_RUNS })
  const title = 'Runs'
  if (rows.length === 0) {
    return { title, body: '<p>There are no runs yet. <a href="/">See goals to try</a>.</p>' }
  }
  const cells = rows.map(({ id, goal, status, created_at, spent }) => {
    const link = `<a href="/runs/${escapeHtml(id)}">${escapeHtml(goal)}</a>`
    return [link, status, time(created_at), String(spent)]
  })
  const table = htmlTable(['Goal', 'Status', 'Started', 'Spent'], cells)
  return { title, body: `${table}<p><a href="/">To the overview</a></p>` }
}

export async function runPage({ environment }: Runs, id: string): Promise<PlainPage | undefined> {
  const { ledger } = environment
  const row = await ledger.runs.find(id)
  if (row === undefined) return undefined
  const events = (await ledger.runs.events(id)).map(eventOf)
  const report = row.report === null ? undefined : (JSON.parse(row.report) as { summary: string })
  const parts = [
    `<p class="quiet">${row.status}, started ${time(row.created_at)}, spent ${row.spent}</p>`,
    report === undefined ? '' : `<p>${escapeHtml(report.summary)}</p>`,
    row.status === 'waiting' ? waitingHtml(events) : '',
    await planHtml(events, ledger.idempotency.steps(id)),
    `<h2>More, in a terminal</h2><pre class="commands">npx myrmex runs show ${escapeHtml(id)}\nnpx myrmex runs replay ${escapeHtml(id)}</pre>`,
    '<p><a href="/runs">All runs</a></p>',
  ]
  return { title: row.goal, body: parts.join('\n') }
}

function waitingHtml(events: readonly RunEvent[]): string {
  const last = events.findLast((event) => event.kind === 'waiting')
  if (last?.kind !== 'waiting') return ''
  const items = last.body.for.map((one) => `<li>${escapeHtml(one)}</li>`).join('')
  return `<h2>Waiting for</h2><ul>${items}</ul><p>To decide, in a terminal: <code>npx myrmex approvals list</code></p>`
}

interface StepState {
  readonly step: string
  readonly outcome: string | null
}

async function planHtml(events: readonly RunEvent[], known: Promise<readonly StepState[]>): Promise<string> {
  const planned = events.findLast((event) => event.kind === 'planned')
  if (planned?.kind !== 'planned') return ''
  const states = new Map((await known).map(({ step, outcome }) => [step, outcome]))
  const rows = planned.body.plan.steps.map(({ id, tool, why }) => [
    escapeHtml(id),
    `<code>${escapeHtml(tool)}</code>`,
    escapeHtml(why),
    stateOf(states, id),
  ])
  return `<h2>Plan</h2>${htmlTable(['Step', 'Tool', 'Why', 'State'], rows)}`
}

function stateOf(states: ReadonlyMap<string, string | null>, id: string): string {
  const outcome = states.get(id)
  if (outcome === undefined) return 'not started'
  if (outcome === null) return 'running'
  return escapeHtml((JSON.parse(outcome) as { status: string }).status)
}

const time = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
