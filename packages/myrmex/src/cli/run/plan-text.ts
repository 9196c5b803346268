/** A plan for the person who decides about it: the steps and reasons, then every call that changes something, and its cost. */

import type { ToolView } from '../../agent/fleet/tool-view.ts'
import { groupAlikeSteps } from '../../agent/group-steps.ts'
import type { Problem } from '../../agent/plan/check.ts'
import { isReference, type Plan, type Step } from '../../agent/plan/plan.ts'
import { type PlanFacts, renderPlan } from '../../agent/render-plan.ts'
import type { ShownPlan, ShownStep } from '../../agent/run/plan-cover.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import type { TrustLevel } from '../../ledger/decisions/trust-row.ts'
import { costOf, costReferences } from '../../protocol/cost.ts'
import { valueAtPath } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { foreignJson, foreignLines } from '../../serve/foreign-text.ts'
import { bulletList, oneLine, paint, section, wrap, wrapNamed, wrapParagraphs } from '../../serve/terminal.ts'
import type { Tool } from '../../tool/tool.ts'
import { money } from './event-text.ts'

/** By canonical name. */
export type ToolsByName = ReadonlyMap<string, ToolView>

export const toolsByName = (views: readonly ToolView[]): ToolsByName => new Map(views.map((view) => [view.name, view]))

export function planText(
  plan: Plan,
  facts: PlanFacts & { by: string; notes?: readonly string[] },
  tools: ToolsByName,
): string {
  const changing = plan.steps.filter(({ tool }) => tools.get(tool)?.destructive)
  const head = paint('bold', `Plan by ${oneLine(facts.by, 100)}`)
  const parts = [head, wrapParagraphs(renderPlan(plan, facts))]
  if (changing.length > 0)
    parts.push(
      [`${changesText(changing.length)}:`, ...groupAlikeSteps(changing).map((steps) => callsText(steps, tools))].join(
        '\n',
      ),
    )
  else if (plan.steps.length > 0) parts.push('It changes nothing.')
  parts.push(bulletList('Notes:', facts.notes ?? []))
  return parts.filter((part) => part !== '').join('\n\n')
}

const changesText = (count: number): string =>
  count === 1 ? 'One step changes something' : `${count} steps change something`

/** Many calls of one tool, with every argument of every call. */
function callsText(steps: readonly Step[], tools: ToolsByName): string {
  const [first] = steps
  if (first === undefined || steps.length === 1) return first === undefined ? '' : callText(first, tools)
  const facts = factsOf(
    tools.get(first.tool),
    steps.map((step) => step.arguments),
  )
  const head = `  ${paint('cyan', `${first.id} … ${steps.at(-1)?.id}: ${oneLine(first.tool, 130)}`)}  ${steps.length} calls, ${facts}`
  const names = Object.keys(first.arguments)
  const values = (name: string): string =>
    steps.map(({ arguments: args }) => oneLine(shown(args[name]), 200)).join(', ')
  return [head, ...names.map((name) => wrap(`${oneLine(name, 60)}: ${values(name)}`, 6))].join('\n')
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

function factsOf(view: ToolView | undefined, calls: readonly unknown[]): string {
  if (view === undefined) return ''
  const facts = [costText(view, calls), view.undo ? 'can be undone' : 'cannot be undone']
  return facts.filter((fact) => fact !== '').join(', ')
}

/** The exact call, with all its arguments and criteria. */
function callText(step: Step, tools: ToolsByName): string {
  return exactCallText(step, factsOf(tools.get(step.tool), [step.arguments]))
}

/** The same for a step as the approval of its plan has it. */
function shownCallText(step: ShownStep): string {
  const { cost_at_most, can_be_undone } = step
  const facts = [
    cost_at_most === undefined ? '' : `may cost at most ${money(cost_at_most)}`,
    can_be_undone === undefined ? '' : can_be_undone ? 'can be undone' : 'cannot be undone',
  ]
  return exactCallText(step, facts.filter((fact) => fact !== '').join(', '))
}

/** Everything that an approval of the plan covers: the calls, and the steps that they take values from. */
export function planCalls({ args }: Approval): string[] {
  const { steps = [], sources = [] } = JSON.parse(args) as Partial<ShownPlan>
  const used = sources.map(shownCallText)
  return [...steps.map(shownCallText), ...(used.length === 0 ? [] : ['  with results of these steps:', ...used])]
}

function exactCallText(
  { id, tool, arguments: args, criteria = [] }: Pick<Step, 'id' | 'tool' | 'arguments' | 'criteria'>,
  facts: string,
): string {
  const head = wrapNamed('cyan', `${oneLine(id, 60)}: ${oneLine(tool, 130)}`, facts === '' ? '' : `  ${facts}`, 2)
  const judged = criteria.map((criterion) => `judged by ${JSON.stringify(criterion)}`)
  return [head, ...foreignJson(args, referenceWords), ...foreignLines(judged)].join('\n')
}

/** In the arguments of a plan, a reference is a result of an earlier step. */
const referenceWords = (value: unknown): string | undefined =>
  isReference(value)
    ? `the result of ${JSON.stringify(value.$from)}${value.path === '' ? '' : ` at ${JSON.stringify(value.path)}`}`
    : undefined

/** What calls with these arguments may cost together, as far as it is known before they run. */
export function costText({ input }: ToolView, calls: readonly unknown[]): string {
  const places = costReferences(input)
  if (calls.some((args) => places.some((path) => isReferenceAt(args, path)))) return 'cost depends on an earlier step'
  const known = calls.reduce<number>((sum, args) => sum + costOf(input, args), 0)
  return known > 0 ? `may cost ${money(known)}` : ''
}

/** Whether the value at the path, or a value around it, is another step's result. */
function isReferenceAt(args: unknown, path: string): boolean {
  const names = path.split('/')
  return names.some((_, index) => isReference(valueAtPath(args, names.slice(1, index + 1))))
}

export function problemsText(problems: readonly Problem[]): string {
  const lines = problems.map(({ code, step, path, message }) => {
    const where = `${step === undefined ? '' : `${oneLine(step, 60)}  `}${oneLine(path || '/', 200)}`
    return `  ${paint('red', where)}  ${paint('dim', code)}\n${wrap(oneLine(message, 600), 6)}`
  })
  return section(`The plan has ${plural(problems.length, 'problem')}; nothing was executed:`, lines)
}

/** Undefined: the tool is trusted enough to be called. */
export function trustAdvice({ name, destructive }: Tool, level: TrustLevel): string | undefined {
  if (level === 'trusted' || (level === 'verified' && !destructive)) return undefined
  const decide = destructive ? `npx myrmex trust ${name} --ask` : `npx myrmex verify ${name}`
  return `${name} is ${level}, so its calls will be refused. To decide: ${decide}`
}
