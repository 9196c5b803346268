/**
 * The rules planner: finds the shortest plan for a goal from the input and output schemas of the tools. Pure: the same request gives
 * the same plan, whatever the order of its tools. Unknown values are asked for, not guessed.
 */
import { costOf, costReferences } from '../../protocol/cost.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject } from '../../protocol/json.ts'
import type { PlanRequest } from '../brain/brain.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import { budgetFrom, isBudgetName, withKnownBudget } from '../plan/known-budget.ts'
import { type Budget, type Criterion, CriterionSchema, type Plan, type Question, type Step } from '../plan/plan.ts'
import { type DraftStep, draftSteps, literalArguments } from './draft-steps.ts'
import { assumptionsOf, type DraftPlan, doubtQuestions, questionsOf, quotedList, whyOf } from './explain.ts'
import { type GoalText, readGoal } from './goal/read-goal.ts'
import { remainderValue } from './goal/remainder.ts'
import { type GoalTarget, targetFromText, targetFromWants } from './goal/target.ts'
import type { AvailableValues } from './matching/available-values.ts'
import { needsOf } from './matching/needs.ts'
import { OfferIndex } from './matching/offer-index.ts'
import { offersOf } from './matching/offers.ts'
import { bareName } from './names.ts'
import { findCheapest } from './search/search.ts'
import { type PlanningTask, type SearchSpace, searchSpaceOf } from './search/search-space.ts'
import type { Candidate, KnownValue, Need } from './types.ts'

export function planByRules(request: PlanRequest): Plan {
  const { goal, context } = request
  const candidates = candidatesOf(request.tools)
  const tools = candidates.map(({ tool }) => tool)
  const offers = new OfferIndex(candidates)
  const text = readGoal(goal, candidates, context.today)
  const { available, budget, budgetNotes } = availableValues(request, text)
  const wants = context.want ?? []
  const target = wants.length > 0 ? targetFromWants(wants, tools, offers, available) : targetFromText(text, candidates)
  const assumptions = [...target.assumptions]
  const questions = target.unknownWants.map((want) => unknownWantQuestion(want, tools))
  if (target.tools.length + target.values.length === 0) {
    const isDone = wants.length > 0 && target.unknownWants.length === 0
    if (!isDone && questions.length === 0) questions.push(whatToDoQuestion(target, tools))
    return { goal, budget, assumptions, questions, steps: [] }
  }
  const task: PlanningTask = { candidates, offers, target, available, learned: request.learned }
  const tried = draftOf(task)
  const rest = remainderValue(tried.steps, target, candidates, text)
  const withRest = rest && { ...available, knownValues: [...available.knownValues, rest.knownValue] }
  const draft = withRest === undefined ? tried : draftOf({ ...task, available: withRest })
  const unused = unusedNames(text, draft.steps)
  questions.push(...questionsOf(draft.steps), ...doubtQuestions(draft.steps, unused))
  const isBudgetAsked = questions.some(({ input }) => input === BUDGET_QUESTION.input)
  if (budget.money === undefined && !isBudgetAsked && draft.steps.some(spends)) questions.push(BUDGET_QUESTION)
  return {
    goal,
    budget,
    assumptions: [
      ...assumptions,
      ...(rest === undefined ? [] : [rest.note]),
      ...budgetNotes,
      ...assumptionsOf(draft).filter((note) => note !== rest?.replaces),
      ...(unused.length === 0 ? [] : [`No step uses ${quotedList(unused)} of the goal.`]),
      ...(draft.isProvedBest ? [] : ['There may be a shorter plan: the search was ended before all were looked at.']),
    ],
    questions,
    steps: draft.steps.map((step) => finished(step, draft, context.criteria)),
  }
}

/** Exact names in the goal that no argument uses. */
function unusedNames({ exactNames }: GoalText, steps: readonly DraftStep[]): string[] {
  const used = JSON.stringify(steps.map(({ arguments: args }) => args))
  return [...new Set(exactNames)].filter((one) => !used.includes(JSON.stringify(one).slice(1, -1)))
}

/** Sorted by name, so that the order of the tools does not matter. */
function candidatesOf(tools: readonly ToolView[]): Candidate[] {
  const key = ({ name, agent, version }: ToolView): string => `${name}\n${agent}\n${version}`
  const sorted = [...new Set(tools)].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0))
  return sorted.map((tool) =>
    getOrMake(candidateCache, tool, () => ({ tool, needs: needsOf(tool), offers: offersOf(tool) })),
  )
}

/** Reading a schema costs more than planning with it, and fleets change seldom. */
const candidateCache = new WeakMap<ToolView, Candidate>()

/** A value called budget, known or in the goal's text, limits the whole plan. */
function availableValues(
  { context }: PlanRequest,
  text: GoalText,
): { available: AvailableValues; budget: Budget; budgetNotes: string[] } {
  const given = Object.entries(context.known ?? {}).map(([key, value]): KnownValue => ({ key, value, from: 'context' }))
  const knownValues = [...given, ...text.knownValues]
  const { budget = {} } = withKnownBudget(context)
  const amounts = knownValues.flatMap(({ key, value }) => (isBudgetName(key) ? [budgetFrom(value)?.money] : []))
  const money = budget.money ?? amounts.find((amount) => amount !== undefined)
  const isMoneyShared = money !== undefined && amounts.includes(money)
  return {
    available: { knownValues, money, isMoneyShared, fromText: text.fromText },
    budget: { ...budget, ...(money === undefined ? {} : { money }) },
    budgetNotes: isMoneyShared ? [`Took ${money} as the budget of the whole plan.`] : [],
  }
}

function draftOf(task: PlanningTask): DraftPlan & { readonly isProvedBest: boolean } {
  const space = searchSpaceOf(task)
  const found = findCheapest(space.graph)
  const steps = draftSteps(task, space, new Set(found?.actions))
  return {
    steps,
    requested: new Set(task.target.tools),
    wantedFields: wantedFieldsOf(task.target.values, space, steps),
    isOnlyForInput: space.isOnlyForInput,
    isProvedBest: found?.isProvedBest !== false,
  }
}

/** For each value the goal asks for, the first step that gives it. */
function wantedFieldsOf(
  wanted: readonly Need[],
  space: SearchSpace,
  steps: readonly DraftStep[],
): Map<ToolView, string[]> {
  const fields = new Map<ToolView, string[]>()
  for (const need of wanted) {
    const sources = new Set(space.matches[space.factOf(need) ?? -1]?.map(({ offer }) => offer.tool))
    const step = steps.find(({ tool }) => sources.has(tool))
    if (step !== undefined) getOrMake(fields, step.tool, () => []).push(need.property)
  }
  return fields
}

function finished(step: DraftStep, draft: DraftPlan, criteria: unknown): Step {
  const { agent, name } = step.tool
  const idOf = new Map(draft.steps.map(({ tool, id }) => [tool, id]))
  const needs = [...new Set(step.links.map(({ match }) => idOf.get(match.offer.tool) ?? ''))]
  const judged = criteriaFor(name, criteria)
  return {
    id: step.id,
    agent,
    tool: name,
    arguments: step.arguments,
    needs: needs.sort((one, other) => Number(one.slice(1)) - Number(other.slice(1))),
    why: whyOf(step, draft),
    ...(judged === undefined ? {} : { criteria: judged }),
  }
}

/** `context.criteria`: the criteria of a tool's result, by its name. */
function criteriaFor(name: string, criteria: unknown): Criterion[] | undefined {
  const own = isObject(criteria) ? (criteria[name] ?? criteria[bareName(name)]) : undefined
  if (!Array.isArray(own)) return undefined
  const valid = own.filter((one): one is Criterion => CriterionSchema.safeParse(one).success)
  return valid.length === 0 ? undefined : valid
}

const spends = (step: DraftStep): boolean => {
  const { input } = step.tool
  const heads = new Set(costReferences(input).map((place) => place.split('/')[1]))
  return costOf(input, literalArguments(step)) > 0 || step.links.some(({ need }) => heads.has(need.path[0]))
}

const BUDGET_QUESTION: Question = {
  input: 'budget',
  question: 'How much may be spent in all? A step spends money, and there is no budget.',
}

const unknownWantQuestion = (want: string, tools: readonly ToolView[]): Question => ({
  input: want,
  question: `What gives ${want}? It is wanted, and no tool of the fleet gives it. ${abilities(tools)}`,
})

const MAX_ABILITIES = 30

const abilities = (tools: readonly ToolView[]): string => {
  if (tools.length === 0) return 'The fleet has no tools.'
  const names = tools.slice(0, MAX_ABILITIES).map(({ name }) => name)
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : ''
  return `The fleet can do ${names.join(', ')}${more}.`
}

const whatToDoQuestion = ({ ambiguous }: GoalTarget, tools: readonly ToolView[]): Question => ({
  input: 'want',
  question:
    ambiguous.length > 0
      ? `Which of these is meant? The words of the goal fit all of them: ${ambiguous.map(({ name }) => name).join(', ')}.`
      : `What should be done? No word of the goal fits a tool. ${abilities(tools)}`,
})
