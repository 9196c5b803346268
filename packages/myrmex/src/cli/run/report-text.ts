/** The end of a run for people: results, changes that remain, cost, verdicts, and where to look next. */

import type { Verdict } from '../../agent/critic/verdict.ts'
import { renderVerdict } from '../../agent/render-verdict.ts'
import type { Report } from '../../agent/run/journal/report.ts'
import type { OpenSettings } from '../../agent/run/settings.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { plural } from '../../protocol/text.ts'
import { bulletList, oneLine, paint, section, wrap, wrapParagraphs } from '../../serve/terminal.ts'
import { dataLines, textLines } from './data-lines.ts'
import { formatDuration, money } from './event-text.ts'

const HEADS = { succeeded: 'green', failed: 'red', cancelled: 'yellow', refused: 'yellow' } as const

export function reportText(run: RunRow, report: Report, { budget }: Pick<OpenSettings, 'budget'>): string {
  const parts = [
    paint(HEADS[report.status], wrap(oneLine(report.summary), 0)),
    resultsText(report),
    verdictsText(report.steps.flatMap(({ id, verdict }) => (verdict === null ? [] : [[id, verdict]]))),
    bulletList('Changes that were not undone:', report.stands),
    bulletList('Notes:', report.notes),
    spentText(run, report, budget),
    nextCommands(run.id),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

type ReportStep = Report['steps'][number]

/** More results of one tool than this are counted, and only the first few are shown. */
const MAX_UNGROUPED = 6
const EXAMPLES_SHOWN = 3

/** The tools' explanations, and the data of steps whose result no other step used. */
function resultsText({ steps, made: results }: Report): string {
  const isUnused = new Set(results.map(({ step }) => step))
  const done = steps.filter(
    ({ id, status, explanation }) => status === 'done' && (explanation != null || isUnused.has(id)),
  )
  const groups = [...Map.groupBy(done, ({ tool }) => tool).values()]
  const parts = groups.map((group) =>
    group.length > MAX_UNGROUPED
      ? groupText(group)
      : group.map((step) => stepText(step, isUnused.has(step.id))).join('\n'),
  )
  return section('Results:', parts)
}

function stepText({ id, tool, data, explanation }: ReportStep, isUnused: boolean): string {
  const said = explanation == null ? [] : [wrap(oneLine(explanation, MAX_EXPLANATION), 6)]
  const shown =
    isUnused || said.length === 0 ? (textLines(data, 6) ?? (said.length === 0 ? dataLines(data, 6) : [])) : []
  return [`  ${paint('cyan', oneLine(`${id}: ${tool}`, 180))}`, ...said, ...shown].join('\n')
}

function groupText(group: readonly ReportStep[]): string {
  const [first] = group
  const head = `  ${paint('cyan', oneLine(first?.tool ?? '', 180))}  ${group.length} times, such as`
  const shown = group.slice(0, EXAMPLES_SHOWN).map(({ id, data, explanation }) => {
    const text = `${oneLine(id, 60)}: ${explanation ?? JSON.stringify(data) ?? ''}`
    return wrap(oneLine(text, MAX_EXPLANATION), 6)
  })
  return [head, ...shown].join('\n')
}

const MAX_EXPLANATION = 400

export const verdictsText = (verdicts: readonly (readonly [step: string, verdict: Verdict])[]): string =>
  section(
    'Verdicts:',
    verdicts.map(([step, verdict]) => wrapParagraphs(`  ${step}: ${renderVerdict(verdict).replaceAll('\n', '\n  ')}`)),
  )

/** Changes that remain, one line each. */
export const notUndoneLines = (changes: readonly string[]): string[] =>
  changes.map((change) => `  ${paint('yellow', 'not undone')}  ${oneLine(change, 200)}`)

function spentText({ created_at, ended_at }: RunRow, report: Report, budget: OpenSettings['budget']): string {
  const ofMoney = budget.money === undefined ? '' : ` of ${money(budget.money)}`
  const ofCalls = budget.calls === undefined ? '' : ` of ${budget.calls}`
  const time = ended_at === null ? '' : `, ${formatDuration(ended_at - created_at)}`
  return `Spent ${money(report.spent)}${ofMoney}, ${plural(report.calls, 'call')}${ofCalls}${time}.`
}

function nextCommands(id: string): string {
  const commands: [string, string][] = [
    [`npx myrmex runs show ${id}`, 'every step, its state and duration'],
    [`npx myrmex runs replay ${id}`, 'what happened, with arguments and results'],
    [`npx myrmex audit query --run ${id}`, 'the audit records of its calls'],
  ]
  const width = Math.max(...commands.map(([command]) => command.length))
  const lines = commands.map(([command, what]) => {
    const isRoom = width + what.length + 4 < (process.stdout.columns || 100)
    return isRoom ? `  ${command.padEnd(width)}  ${paint('dim', what)}` : `  ${command}`
  })
  return section('Where to look:', lines)
}
