/** The end of a run for people: what was made, what stands, what it cost, how it was judged, and where to look. */

import { renderVerdict } from '../../agent/render-verdict.ts'
import type { Report } from '../../agent/run/report.ts'
import type { RunSettings } from '../../agent/run/settings.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { oneLine } from '../line.ts'
import { paint, wrap } from '../terminal.ts'
import { dataLines, textLines } from './data.ts'
import { paragraphs } from './paragraphs.ts'
import { money, plural, took } from './words.ts'

const HEADS = { succeeded: 'green', failed: 'red', cancelled: 'yellow', refused: 'yellow' } as const

export function reportText(run: RunRow, report: Report, { budget }: Pick<RunSettings, 'budget'>): string {
  const parts = [
    paint(HEADS[report.status], wrap(oneLine(report.summary), 0)),
    made(report),
    judgements(report),
    bullets('Still stands, and was not taken back:', report.stands),
    bullets('Notes:', report.notes),
    spent(run, report, budget),
    look(run.id),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

type Done = Report['steps'][number]

/** More results of one tool than this are counted, and the first few shown. */
const MOST_ALIKE = 6
const FEW = 3

/** What tools said of their steps; and of those that no other step used, what they made. */
function made({ steps, made: results }: Report): string {
  const isUnused = new Set(results.map(({ step }) => step))
  const done = steps.filter(
    ({ id, status, explanation }) => status === 'done' && (explanation != null || isUnused.has(id)),
  )
  const parts = byTool(done).map((group) =>
    group.length > MOST_ALIKE ? many(group) : group.map((step) => one(step, isUnused.has(step.id))).join('\n'),
  )
  return parts.length === 0 ? '' : [paint('bold', 'Made:'), ...parts].join('\n')
}

/** In the order in which their first steps stand. */
function byTool(steps: readonly Done[]): Done[][] {
  const groups = new Map<string, Done[]>()
  for (const step of steps) groups.set(step.tool, [...(groups.get(step.tool) ?? []), step])
  return [...groups.values()]
}

function one({ id, tool, data, explanation }: Done, isUnused: boolean): string {
  const said = explanation == null ? [] : [wrap(oneLine(explanation, LONGEST_SAID), 6)]
  const shown =
    isUnused || said.length === 0 ? (textLines(data, 6) ?? (said.length === 0 ? dataLines(data, 6) : [])) : []
  return [`  ${paint('cyan', oneLine(`${id}: ${tool}`, 180))}`, ...said, ...shown].join('\n')
}

function many(group: readonly Done[]): string {
  const [first] = group
  const head = `  ${paint('cyan', oneLine(first?.tool ?? '', 180))}  ${group.length} times, such as`
  const shown = group.slice(0, FEW).map(({ id, data, explanation }) => {
    const text = `${oneLine(id, 60)}: ${explanation ?? JSON.stringify(data) ?? ''}`
    return wrap(oneLine(text, LONGEST_SAID), 6)
  })
  return [head, ...shown].join('\n')
}

const LONGEST_SAID = 400

function judgements({ steps }: Report): string {
  const judged = steps.flatMap(({ id, verdict }) =>
    verdict === null ? [] : [paragraphs(`  ${id}: ${renderVerdict(verdict).replaceAll('\n', '\n  ')}`)],
  )
  return judged.length === 0 ? '' : [paint('bold', 'Judged:'), ...judged].join('\n')
}

function bullets(head: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  return [paint('bold', head), ...items.map((item) => `  - ${wrap(oneLine(item), 4).trimStart()}`)].join('\n')
}

function spent({ created_at, ended_at }: RunRow, report: Report, budget: RunSettings['budget']): string {
  const ofMoney = budget.money === undefined ? '' : ` of ${money(budget.money)}`
  const ofCalls = budget.calls === undefined ? '' : ` of ${budget.calls}`
  const time = ended_at === null ? '' : `, ${took(ended_at - created_at)}`
  return `Spent ${money(report.spent)}${ofMoney}, ${plural(report.calls, 'call')}${ofCalls}${time}.`
}

function look(id: string): string {
  const commands: [string, string][] = [
    [`myrmex runs show ${id}`, 'every step, its state and its time'],
    [`myrmex runs replay ${id}`, 'what happened, with arguments and results'],
    [`myrmex audit query --run ${id}`, 'the calls on record'],
  ]
  const width = Math.max(...commands.map(([command]) => command.length))
  const lines = commands.map(([command, what]) => {
    const isRoom = width + what.length + 4 < (process.stdout.columns || 100)
    return isRoom ? `  ${command.padEnd(width)}  ${paint('dim', what)}` : `  ${command}`
  })
  return [paint('bold', 'Where to look:'), ...lines].join('\n')
}
