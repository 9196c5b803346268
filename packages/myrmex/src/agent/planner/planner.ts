/**
 * The rules planner: finds the shortest plan for a goal from the input and output schemas of the tools. Pure: the same request gives
 * the same plan, whatever the order of its tools. Unknown values are asked for, not guessed.
 */
import { costOf, costReferences } from '../../protocol/cost.ts'
import { isObject } from '../../protocol/json.ts'
import type { PlanRequest } from '../brain/brain.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import type { Budget, Criterion, Plan, Question, Step } from '../plan/plan.ts'
import { type DraftStep, draftSteps, literalArguments } from './draft-steps.ts'
import { assumptionsOf, bareName, type DraftPlan, doubtQuestions, questionsOf, quotedList, whyOf } from './explain.ts'
import { type GoalText, readGoal } from './goal/read-goal.ts'
import { remainderValue } from './goal/remainder.ts'
import { type GoalTarget, targetFromText, targetFromWants } from './goal/target.ts'
import type { AvailableValues } from './matching/available-values.ts'
import { needsOf } from './matching/needs.ts'
import { OfferIndex } from './matching/offer-index.ts'
import { offersOf } from './matching/offers.ts'
import { normalizedName } from './names.ts'
import { findCheapest } from './search/search.ts'
import { type SearchSpace, searchSpaceOf } from './search/search-space.ts'
import type { Candidate, KnownValue } from './types.ts'

export function planByRules(request: PlanRequest): Plan {
  const { goal, context } = request
  const workers = workersOf(request.tools)
  const offers = new OfferIndex(workers)
  const text = readGoal(goal, workers, context.today)
  const [hand, budget, budgetNotes] = atHand(request, text)
  const wants = context.want ?? []
  const aim = wants.length > 0 ? targetFromWants(wants, workers, offers, hand) : targetFromText(text, workers)
  const plan = { goal, budget, assumptions: [...aim.assumptions], questions: unanswerable(aim, workers) }
  if (aim.workers.length + aim.things.length === 0) {
    const isDone = wants.length > 0 && aim.unknown.length === 0
    if (!isDone && plan.questions.length === 0) plan.questions.push(whatElse(aim, workers))
    return { ...plan, steps: [] }
  }
  const tried = attempt(request, workers, offers, aim, hand)
  const rest = remainderValue(tried.steps, aim, workers, text)
  const made = rest === undefined ? tried : attempt(request, workers, offers, aim, withKnown(hand, rest.knownValue))
  const { told, steps } = made
  const unused = unusedOf(text, steps)
  const questions = [...plan.questions, ...questionsOf(told), ...doubtQuestions(told, unused)]
  const isAsked = questions.some(({ input }) => input === BUDGET_QUESTION.input)
  if (budget.money === undefined && !isAsked && steps.some((step) => spends(step, workers)))
    questions.push(BUDGET_QUESTION)
  return {
    ...plan,
    steps: steps.map((step) => finished(step, told, context.criteria)),
    assumptions: [
      ...plan.assumptions,
      ...(rest === undefined ? [] : [rest.note]),
      ...budgetNotes,
      ...assumptionsOf(told).filter((note) => note !== rest?.replaces),
      ...(unused.length === 0 ? [] : [`No step uses ${quotedList(unused)} of the goal.`]),
      ...made.doubts,
    ],
    questions,
  }
}

/** What the goal names exactly and no argument has. */
function unusedOf({ exactNames }: GoalText, steps: readonly DraftStep[]): string[] {
  const used = JSON.stringify(steps.map(({ arguments: args }) => args))
  return [...new Set(exactNames)].filter((one) => !used.includes(JSON.stringify(one).slice(1, -1)))
}

/** In the order of their names, so that the order they come in means nothing. */
function workersOf(tools: readonly ToolView[]): Candidate[] {
  const key = ({ name, agent, version }: ToolView): string => `${name}\n${agent}\n${version}`
  const sorted = [...tools].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0))
  return sorted.map(workerOf)
}

/** Reading a schema costs more than planning with it, and fleets change seldom. */
const remembered = new WeakMap<ToolView, Candidate>()
function workerOf(tool: ToolView): Candidate {
  let worker = remembered.get(tool)
  if (worker === undefined) {
    worker = { tool, needs: needsOf(tool), offers: offersOf(tool) }
    remembered.set(tool, worker)
  }
  return worker
}

/** Money that was only named as a value is a budget too, for the plan must not spend more. */
function atHand({ context }: PlanRequest, text: GoalText): [AvailableValues, Budget, string[]] {
  const given: KnownValue[] = Object.entries(context.known ?? {}).map(([key, value]) => ({
    key,
    value,
    from: 'context',
  }))
  const named = [...given, ...text.knownValues].find(
    ({ key, value }) => normalizedName(key) === 'budget' && isAmount(value),
  )
  const money = context.budget?.money ?? (named?.value as number | undefined)
  const pooled = context.budget?.money === undefined && named !== undefined
  const notes = pooled ? [`Took ${money} as the budget of the whole plan.`] : []
  const budget = { ...context.budget, ...(money === undefined ? {} : { money }) }
  const hand = { knowns: [...given, ...text.knownValues], money, pooled, fromText: text.fromText }
  return [hand, budget, notes]
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

const withKnown = (hand: AvailableValues, known: KnownValue): AvailableValues => ({
  ...hand,
  knowns: [...hand.knowns, known],
})

interface Attempt {
  readonly steps: readonly DraftStep[]
  readonly told: DraftPlan
  readonly doubts: readonly string[]
}

function attempt(
  { learned }: PlanRequest,
  workers: readonly Candidate[],
  offers: OfferIndex,
  aim: GoalTarget,
  hand: AvailableValues,
): Attempt {
  const space = searchSpaceOf({ candidates: workers, offers, target: aim, available: hand, learned })
  const found = findCheapest(space.graph)
  const chosen = new Set(found?.actions)
  const steps = draftSteps({ candidates: workers, offers, space, available: hand, chosen })
  const told: DraftPlan = {
    candidates: workers,
    steps,
    requested: new Set(aim.workers),
    wantedFields: thingsOf(aim, space, steps),
    isOnlyForInput: space.isOnlyForInput,
  }
  const doubts =
    found?.isProvedBest === false
      ? ['There may be a shorter plan: the search was ended before all were looked at.']
      : []
  return { steps, told, doubts }
}

/** Of each thing the goal asks for, the first step that gives it. */
function thingsOf(aim: GoalTarget, space: SearchSpace, steps: readonly DraftStep[]): Map<number, string[]> {
  const things = new Map<number, string[]>()
  for (const thing of aim.things) {
    const givers = new Set(space.matches[space.factOf(thing) ?? -1]?.map(({ candidate }) => candidate))
    const step = steps.find(({ candidate }) => givers.has(candidate))
    if (step !== undefined) things.set(step.candidate, [...(things.get(step.candidate) ?? []), thing.property])
  }
  return things
}

function finished(step: DraftStep, told: DraftPlan, criteria: unknown): Step {
  const tool = told.candidates[step.candidate]?.tool
  const name = tool?.name ?? ''
  const idOf = new Map(told.steps.map(({ candidate, id }) => [candidate, id]))
  const needs = [...new Set(step.links.map(({ match }) => idOf.get(match.candidate) ?? ''))]
  const judged = criteriaFor(name, criteria)
  return {
    id: step.id,
    agent: tool?.agent ?? '',
    tool: name,
    arguments: step.arguments,
    needs: needs.sort((one, other) => Number(one.slice(1)) - Number(other.slice(1))),
    why: whyOf(step, told),
    ...(judged === undefined ? {} : { criteria: judged }),
  }
}

/** `context.criteria`: by the name of the tool, what its result is judged by. */
function criteriaFor(name: string, criteria: unknown): Criterion[] | undefined {
  if (!isObject(criteria)) return undefined
  const own = criteria[name] ?? criteria[bareName(name)]
  if (!Array.isArray(own)) return undefined
  const isCriterion = (one: unknown): one is Criterion =>
    typeof one === 'string' || (isObject(one) && typeof one.name === 'string')
  const valid = own.filter(isCriterion)
  return valid.length === 0 ? undefined : valid
}

const spends = (step: DraftStep, workers: readonly Candidate[]): boolean => {
  const input = workers[step.candidate]?.tool.input ?? {}
  const heads = new Set(costReferences(input).map((place) => place.split('/')[1]))
  return costOf(input, literalArguments(step)) > 0 || step.links.some(({ need }) => heads.has(need.path[0]))
}

const BUDGET_QUESTION: Question = {
  input: 'budget',
  question: 'How much may be spent in all? A step spends money, and there is no budget.',
}

function unanswerable({ unknown }: GoalTarget, workers: readonly Candidate[]): Question[] {
  return unknown.map((want) => ({
    input: want,
    question: `What gives ${want}? It is wanted, and no tool of the fleet gives it. ${abilities(workers)}`,
  }))
}

const MOST_ABILITIES = 30

const abilities = (workers: readonly Candidate[]): string => {
  if (workers.length === 0) return 'The fleet has no tools.'
  const names = workers.slice(0, MOST_ABILITIES).map(({ tool }) => tool.name)
  const more = workers.length > names.length ? ` and ${workers.length - names.length} more` : ''
  return `The fleet can do ${names.join(', ')}${more}.`
}

function whatElse({ vague }: GoalTarget, workers: readonly Candidate[]): Question {
  const between = vague.map((worker) => workers[worker]?.tool.name).join(', ')
  const question =
    vague.length > 0
      ? `Which of these is meant? The words of the goal fit all of them: ${between}.`
      : `What should be done? No word of the goal fits a tool. ${abilities(workers)}`
  return { input: 'want', question }
}
