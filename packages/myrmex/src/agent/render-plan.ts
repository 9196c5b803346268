/** A plan as text for people: steps, their order and reasons, cost, budget, open questions. */
import { groupAlikeSteps } from './group-steps.ts'
import type { Plan, Question, Step } from './plan/plan.ts'
import type { CheckedPlan } from './plan-and-critique.ts'

export type PlanFacts = Partial<Pick<CheckedPlan, 'cost' | 'levels'>>

export function renderPlan(plan: Plan, { cost, levels = [] }: PlanFacts = {}): string {
  const parts = [
    `Goal: ${plan.goal}`,
    steps(plan),
    together(levels),
    money(plan, cost),
    list('Questions:', plan.questions.map(questionText)),
    list('Assumptions:', plan.assumptions),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function steps({ steps, questions }: Plan): string {
  if (steps.length > 0) return ['Steps:', ...groupAlikeSteps(steps).map(lineOf)].join('\n')
  return questions.length > 0 ? 'No steps before the questions below are answered.' : 'No steps: nothing is to be done.'
}

function lineOf(group: readonly Step[]): string {
  const [first] = group
  if (first === undefined || group.length === 1) return first === undefined ? '' : line(first)
  const last = group.at(-1)?.id
  return `  ${first.id} … ${last}: ${first.tool}, ${group.length} times\n      such as: ${first.why}`
}

function line({ id, tool, needs, why, criteria = [] }: Step): string {
  const after = needs.length === 0 ? '' : ` (after ${needs.join(', ')})`
  const names = criteria.map((criterion) => (typeof criterion === 'string' ? criterion : criterion.name))
  const judged = names.length === 0 ? '' : `\n      judged by ${names.join(', ')}`
  return `  ${id}: ${tool}${after}\n      ${why}${judged}`
}

const MAX_NAMED = 12

const together = (levels: PlanFacts['levels'] = []): string =>
  levels
    .filter((ids) => ids.length > 1)
    .map((ids) => `Together: ${ids.length > MAX_NAMED ? `${ids.length} steps` : ids.join(', ')}`)
    .join('\n')

function money({ budget }: Plan, cost: number | undefined): string {
  const limits = [
    budget.money !== undefined && `${budget.money} in money`,
    budget.calls !== undefined && `${budget.calls} calls`,
    budget.time_ms !== undefined && `${budget.time_ms / 1000} s`,
  ].filter((limit) => limit !== false)
  const lines = [
    ...(cost === undefined ? [] : [`Cost known beforehand: ${cost}`]),
    ...(limits.length === 0 ? [] : [`Budget: ${limits.join(', ')}`]),
  ]
  return lines.join('\n')
}

export const questionText = ({ question, input, tool }: Question): string =>
  `${question} (${input}${tool === undefined ? '' : `, for ${tool}`})`

const list = (heading: string, items: readonly string[]): string =>
  items.length === 0 ? '' : [heading, ...items.map((item) => `  - ${item}`)].join('\n')
