/** Reports on the period that the goal names and, if it asks about the future, forecasts. Changes nothing. */
import type { Step } from 'myrmex'
import { type Playbook, playbook } from 'myrmex/runs'
import type { ShopSource } from '../ports.ts'
import { dateRangeIn, monthAhead } from './date-range-in.ts'
import { makePlan, step } from './write-plan.ts'

const REPORT =
  /\b(report|review|summari[sz]e|how (is|did|do|does|are|was|were|much|many|well)|why (is|did|do|are|was|were)|what (did|was|were|happened|sold|sells)|which (campaigns?|products?|channels?) (are|is|did|do|lost?|made?|makes?|sold|sells?|earns?|brings?|brought))\b/i
const ABOUT =
  /\b(shop|store|sales|business|days?|weeks?|months?|quarter|year|campaigns?|today|yesterday|ads|revenue|profit|refunds?|conversion|visitors?)\b/i
const AHEAD = /\b(forecast|predict|expect|will (we|i|the shop) (sell|earn|make|take)|next month)\b/i
/** Goals that use the words of a report but ask for something else. */
const OTHER = /\b(orders? \d+|tickets? \S*\d+)\b/i
const DEFAULT_RANGE = 'last_30_days'

export const report = (source: ShopSource): Playbook =>
  playbook({
    name: 'report',
    description: 'Goals such as "Report on the last 30 days" and "What will we sell in December?"',
    async plan({ goal, context }) {
      const ahead = AHEAD.test(goal)
      const back = REPORT.test(goal) && ABOUT.test(goal)
      if ((!ahead && !back) || OTHER.test(goal)) return undefined
      const range = dateRangeIn(goal, await (await source()).clock.today())
      const steps: Step[] = []
      if (back) steps.push(reportStep(range ?? DEFAULT_RANGE))
      if (ahead) steps.push(forecastStep(back ? 'next_month' : monthAhead(goal)))
      const assumptions =
        back && range === undefined ? ['The goal names no period, so the report covers the last 30 days.'] : []
      return makePlan(goal, steps, context.budget ?? {}, assumptions)
    },
  })

export const reportStep = (date_range: string): Step =>
  step('report', 'analytics.generate_report', { date_range }, 'Reports what happened, with charts.')

const forecastStep = (month: string): Step =>
  step('forecast', 'analytics.predict_sales', { month }, 'Forecasts the month.')
