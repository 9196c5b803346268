/**
 * The search space of a plan. Each kind of input that waits for a value is a fact; tools are actions that give facts, and so are
 * questions, if nothing else gives one. Which matches count is decided here, before the search.
 */
import { costOf } from '../../../protocol/cost.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import type { ToolStatistics, ToolView } from '../../fleet/tool-view.ts'
import type { AvailableValues } from '../matching/available-values.ts'
import { needIdentity, type OfferIndex } from '../matching/offer-index.ts'
import { questionKey, type Slot, slotsOf } from '../matching/slots.ts'
import type { Candidate, Match, Need } from '../types.ts'
import { type Graph, graphOf, reachableFacts, reachesGoal } from './graph.ts'
import { type Price, priceOf, priceOfQuestion } from './price.ts'

/** What the plan must achieve. */
export interface SearchTarget {
  /** tools that must be called */
  readonly tools: readonly ToolView[]
  /** values that must exist at the end, from any tool */
  readonly values: readonly Need[]
}

export interface SearchSpace {
  readonly graph: Graph
  /** in the order of the graph's first actions */
  readonly slots: ReadonlyMap<ToolView, readonly Slot[]>
  /** the fact that a need waits for */
  readonly factOf: (need: Need) => number | undefined
  /** matches that count for a fact */
  readonly matches: readonly (readonly Match[])[]
  readonly isOnlyForInput: (tool: ToolView) => boolean
}

/** What is planned with. */
export interface PlanningTask {
  readonly candidates: readonly Candidate[]
  readonly offers: OfferIndex
  readonly target: SearchTarget
  readonly available: AvailableValues
  readonly learned: ReadonlyMap<string, ToolStatistics> | undefined
}

export function searchSpaceOf(task: PlanningTask): SearchSpace {
  const { candidates, offers, target, available } = task
  const facts = new Facts()
  const slots = new Map(candidates.map((candidate) => [candidate.tool, slotsOf(candidate, available, offers)]))
  const openFacts = (own: readonly Slot[]): number[] =>
    own.filter(({ value }) => value === undefined).map(({ need, matches }) => facts.of(need, matches))
  const needs = new Map([...slots].map(([tool, own]) => [tool, openFacts(own)]))
  const values = target.values.map((need) => facts.wanted(need, offers.matchesFor(need)))
  // That a tool was called is a fact of its own, which only this tool gives.
  const called = target.tools.map((_, index) => facts.count + index)
  const goal = [...new Set([...called, ...values])]
  const wanted = new Set([
    ...target.tools,
    ...values.flatMap((fact) => (facts.matches[fact] ?? []).map(({ offer }) => offer.tool)),
  ])
  const isOnlyForInput = (tool: ToolView): boolean => !wanted.has(tool)
  const prices = pricesOf(task, slots, isOnlyForInput)

  const build = (matches: readonly (readonly Match[])[], questions: readonly string[]): Graph => {
    const gives = new Map(candidates.map(({ tool }) => [tool, new Set<number>()]))
    for (const [fact, found] of matches.entries()) for (const { offer } of found) gives.get(offer.tool)?.add(fact)
    for (const [index, tool] of target.tools.entries()) gives.get(tool)?.add(called[index] ?? 0)
    return graphOf(
      [...needs.values(), ...questions.map(() => [])],
      [...[...gives.values()].map((given) => [...given]), ...questions.map((key) => facts.under(key))],
      [...prices, ...questions.map((_, index) => priceOfQuestion(index))],
      facts.count + called.length,
      goal,
    )
  }
  const matches = countedMatches(facts, build)
  const questions = questionsFor(facts, needs, isOnlyForInput, (keys) => build(matches, keys))
  return { graph: build(matches, questions), slots, factOf: (need) => facts.find(need), matches, isOnlyForInput }
}

/** Needs with the same identity are one fact. */
class Facts {
  readonly #ids = new Map<string, number>()
  readonly matches: (readonly Match[])[] = []
  readonly #byKey = new Map<string, number[]>()

  get count(): number {
    return this.matches.length
  }

  of(need: Need, matches: readonly Match[]): number {
    const id = needIdentity(need)
    const known = this.#ids.get(id)
    if (known !== undefined) {
      // Each leaves out the offers of its own tool, so the first one's list may lack some.
      const more = matches.filter((match) => !this.matches[known]?.some(({ offer }) => offer === match.offer))
      if (more.length > 0) this.matches[known] = [...(this.matches[known] ?? []), ...more]
      return known
    }
    const fact = this.wanted(need, matches)
    getOrMake(this.#byKey, questionKey(need), () => []).push(fact)
    return fact
  }

  /** A value that the goal asks for: it is never turned into a question. */
  wanted(need: Need, matches: readonly Match[]): number {
    const fact = this.matches.push(matches) - 1
    this.#ids.set(needIdentity(need), fact)
    return fact
  }

  find(need: Need): number | undefined {
    return this.#ids.get(needIdentity(need))
  }

  under(key: string): readonly number[] {
    return this.#byKey.get(key) ?? []
  }

  get keys(): string[] {
    return [...this.#byKey.keys()].sort()
  }
}

/** Matches of the same type, if one of their tools can be called without a question; otherwise matches by name as well. */
function countedMatches(facts: Facts, build: (matches: Match[][], questions: string[]) => Graph): Match[][] {
  const strict = facts.matches.map((found) =>
    found.some(({ sameType }) => sameType) ? found.filter(({ sameType }) => sameType) : [...found],
  )
  const there = reachableFacts(build(strict, []), () => true)
  return facts.matches.map((found, fact) => (there[fact] === 1 ? (strict[fact] ?? []) : [...found]))
}

/** The inputs that no tool gives, or only tools that change state. If tools only wait for each other, all inputs out of reach. */
function questionsFor(
  facts: Facts,
  needs: ReadonlyMap<ToolView, readonly number[]>,
  isOnlyForInput: (tool: ToolView) => boolean,
  build: (questions: string[]) => Graph,
): string[] {
  const plain = build([])
  if (reachesGoal(plain, () => true)) return []
  const isAsked = (fact: number): boolean =>
    (facts.matches[fact] ?? []).every(
      ({ offer: { tool } }) => needs.get(tool)?.includes(fact) || (tool.destructive && isOnlyForInput(tool)),
    )
  const keys = facts.keys.filter((key) => facts.under(key).every(isAsked))
  const there = reachableFacts(build(keys), () => true)
  if (plain.goal.every((fact) => there[fact] === 1)) return keys
  return facts.keys.filter((key) => keys.includes(key) || facts.under(key).some((fact) => there[fact] !== 1))
}

function pricesOf(
  { candidates, learned }: PlanningTask,
  slots: ReadonlyMap<ToolView, readonly Slot[]>,
  isOnlyForInput: (tool: ToolView) => boolean,
): Price[] {
  return candidates.map(({ tool }, index) => {
    const known: Record<string, unknown> = {}
    for (const { need, value: filled } of slots.get(tool) ?? []) {
      if (need.path.length === 1 && filled?.isBudgetShare !== true) known[need.property] = filled?.value
    }
    const money = costOf(tool.input, known)
    return priceOf(
      tool,
      { forInput: isOnlyForInput(tool), money, learned: learned?.get(tool.name) },
      index,
      candidates.length,
    )
  })
}
