/** Reporting: the time that the goal names, and, where it asks what comes, a forecast. */
import type { Step } from 'myrmex'
import { type Playbook, playbook } from 'myrmex/runs'
import { planOf, step } from './plan.ts'

const REPORT = /\b(report|review|summari[sz]e|how (is|did|are|was|were))\b/i
const ABOUT = /\b(shop|store|sales|business|days|weeks?|months?|year|campaigns?|today|yesterday)\b/i
const AHEAD = /\b(forecast|predict|expect|next month)\b/i
const RANGES: readonly (readonly [RegExp, string])[] = [
  [/\blast (7|seven) days\b|\blast week\b|\bthis week\b/i, 'last_7_days'],
  [/\blast (30|thirty) days\b/i, 'last_30_days'],
  [/\blast (90|ninety) days\b|\blast quarter\b/i, 'last_90_days'],
  [/\blast (365 days|year)\b/i, 'last_year'],
  [/\bthis month\b/i, 'this_month'],
  [/\blast month\b/i, 'last_month'],
  [/\b(\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2})\b/, '$1'],
  [/\b(\d{4}-\d{2})\b/, '$1'],
]
const USUAL = 'last_30_days'

export const report = (): Playbook =>
  playbook({
    name: 'report',
    description: 'Goals such as "Report on the last 30 days".',
    plan({ goal, context }) {
      if (!REPORT.test(goal) || !ABOUT.test(goal)) return undefined
      const range = rangeIn(goal)
      const steps: Step[] = [
        step(
          'report',
          'analytics.generate_report',
          { date_range: range ?? USUAL },
          'Adds up what happened, and draws it.',
        ),
      ]
      if (AHEAD.test(goal))
        steps.push(
          step('forecast', 'analytics.predict_sales', { month: 'next_month' }, 'Says what to expect next month.'),
        )
      const assumptions = range === undefined ? ['The goal names no time, so it is the last 30 days.'] : []
      return planOf(goal, steps, context.budget ?? {}, assumptions)
    },
  })

function rangeIn(goal: string): string | undefined {
  for (const [pattern, range] of RANGES) {
    const found = pattern.exec(goal)
    if (found !== null) return range === '$1' ? found[1] : range
  }
  return undefined
}
