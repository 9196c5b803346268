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

function made({ made: results }: Report): string {
  if (results.length === 0) return ''
  const parts = results.map(({ step, tool, data }) =>
    [`  ${paint('cyan', oneLine(`${step}: ${tool}`, 180))}`, ...(textLines(data, 6) ?? dataLines(data, 6))].join('\n'),
  )
  return [paint('bold', 'Made:'), ...parts].join('\n')
}

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
