/**
 * The cheapest set of actions that reaches the goal: branch and bound over the facts that no chosen action gives, starting from a
 * greedy plan. Exact in the major price (questions, changes, steps), unless the work limit is reached: then the best plan so far
 * is returned as not proved. The minor price is compared as far as the limit allows.
 */

import { type Graph, reachableFacts, reachesGoal, restrictedGraph, usefulActions } from './graph.ts'
import { LowerBound } from './lower-bound.ts'
import { comparePrices, isLess, type Price, sumOf } from './price.ts'

export interface SearchResult {
  readonly actions: readonly number[]
  /** nothing better exists, as far as questions, changes and steps go */
  readonly isProvedBest: boolean
}

/** Visits of an action while bounds are worked out: some ten milliseconds. */
const MAX_WORK = 60_000

class OutOfWork extends Error {}

/** Undefined if no set of actions reaches the goal. */
export function findCheapest(whole: Graph, maxWork = MAX_WORK): SearchResult | undefined {
  if (!reachesGoal(whole, () => true)) return undefined
  const { graph, was } = restrictedGraph(whole, usefulActions(whole))
  const first = improved(graph, greedy(graph))
  const majors = new Branching(graph, first, maxWork, false)
  const exact = majors.run()
  // With the shortest in hand, those as short are compared; with nothing proved, there is no use in it.
  const minors = new Branching(graph, improved(graph, majors.best), maxWork / 4, true)
  if (exact) minors.run()
  return { actions: minors.best.map((action) => was[action] ?? -1), isProvedBest: exact }
}

class Branching {
  readonly #graph: Graph
  readonly #ties: boolean
  readonly #bound: LowerBound
  #work: number
  best: readonly number[]
  #price: Price

  /** `ties`: plans that cost as much in what counts are looked at too. */
  constructor(graph: Graph, first: readonly number[], work: number, ties: boolean) {
    this.#graph = graph
    this.#ties = ties
    this.#bound = new LowerBound(graph, (visits) => this.#spend(visits))
    this.#work = work
    this.best = first
    this.#price = totalOf(graph, first)
  }

  /** Whether all plans have been looked at. */
  run(): boolean {
    try {
      this.#from(
        new Set(),
        this.#graph.needs.map(() => true),
      )
      return true
    } catch (error) {
      if (!(error instanceof OutOfWork)) throw error
      return false
    }
  }

  /** Every plan with all of `chosen` and none that is not `open` or chosen. */
  #from(chosen: ReadonlySet<number>, open: readonly boolean[]): void {
    const graph = this.#graph
    const there = reachableFacts(graph, (action) => chosen.has(action))
    const price = totalOf(graph, chosen)
    if (graph.goal.every((fact) => there[fact] === 1)) {
      if (!isLess(price, this.#price)) return
      this.#price = price
      this.best = [...chosen]
      return
    }
    if (!this.#isWorth(price, this.#leastMore(chosen, open))) return
    const left = [...open]
    for (const action of this.#choices(chosen, open, there)) {
      this.#from(new Set([...chosen, action]), left)
      // All plans with it have been looked at: the others are without it.
      left[action] = false
    }
  }

  #leastMore(chosen: ReadonlySet<number>, open: readonly boolean[]): number {
    const { prices } = this.#graph
    return this.#bound.leastCost((action) => {
      if (chosen.has(action)) return 0
      return open[action] === true ? (prices[action]?.major ?? 0) : Number.POSITIVE_INFINITY
    })
  }

  #isWorth(price: Price, more: number): boolean {
    const least = price.major + more
    if (least !== this.#price.major) return least < this.#price.major
    return this.#ties && price.minor < this.#price.minor
  }

  /**
   * Actions one of which every plan here must add. Where a fact has no maker yet, those that make it; where the chosen only
   * wait for each other, all that could give any of them what it waits for.
   */
  #choices(chosen: ReadonlySet<number>, open: readonly boolean[], there: Uint8Array): number[] {
    const graph = this.#graph
    const waited = new Set<number>(graph.goal)
    for (const action of chosen) for (const fact of graph.needs[action] ?? []) waited.add(fact)
    let fewest: number[] | undefined
    const all = new Set<number>()
    for (const fact of waited) {
      if (there[fact] === 1) continue
      const makers = graph.makers[fact] ?? []
      const more = makers.filter((maker) => open[maker] && !chosen.has(maker))
      for (const maker of more) all.add(maker)
      const isMade = makers.some((maker) => chosen.has(maker))
      if (!isMade && (fewest === undefined || more.length < fewest.length)) fewest = more
    }
    return (fewest ?? [...all]).sort((one, other) => comparePrices(priceAt(graph, one), priceAt(graph, other)))
  }

  #spend(work: number): void {
    this.#work -= work
    if (this.#work < 0) throw new OutOfWork()
  }
}

const NOTHING: Price = { major: 0, minor: 0n }
const priceAt = (graph: Graph, action: number): Price => graph.prices[action] ?? NOTHING

const totalOf = (graph: Graph, actions: Iterable<number>): Price =>
  sumOf([...actions].map((action) => priceAt(graph, action)))

/** For each fact its cheapest maker by the path cost; then every action that is not needed is removed. */
function greedy(graph: Graph): number[] {
  const costs = new LowerBound(graph, () => {}).pathCosts((action) => priceAt(graph, action).major)
  const cost = (maker: number): number => costs[maker] ?? Number.POSITIVE_INFINITY
  const chooseMakers = (reuses: boolean): Set<number> => {
    const chosen = new Set<number>()
    const wanted = new Set(graph.goal)
    for (const fact of wanted) {
      const makers = graph.makers[fact] ?? []
      if (reuses && makers.some((maker) => chosen.has(maker))) continue
      const [best] = makers.toSorted((a, b) => cost(a) - cost(b) || comparePrices(priceAt(graph, a), priceAt(graph, b)))
      if (best === undefined) continue
      chosen.add(best)
      for (const need of graph.needs[best] ?? []) wanted.add(need)
    }
    return chosen
  }
  // A reused maker costs nothing more, but two may wait for each other. The makers of the cheapest paths never do.
  const reusing = chooseMakers(true)
  return pruned(graph, reachesGoal(graph, (action) => reusing.has(action)) ? reusing : chooseMakers(false))
}

function pruned(graph: Graph, actions: ReadonlySet<number>): number[] {
  const chosen = new Set(actions)
  const dearestFirst = [...chosen].sort((one, other) => comparePrices(priceAt(graph, other), priceAt(graph, one)))
  for (const action of dearestFirst) {
    chosen.delete(action)
    if (!reachesGoal(graph, (one) => chosen.has(one))) chosen.add(action)
  }
  return [...chosen]
}

/** Each action exchanged for a cheaper one that gives something of the same, as long as that helps. */
function improved(graph: Graph, actions: readonly number[]): number[] {
  let best = [...actions]
  for (let rounds = 0; rounds < 3; rounds++) {
    const before = best
    for (const action of before) best = exchanged(graph, best, action)
    if (best === before) break
  }
  return best
}

function exchanged(graph: Graph, actions: readonly number[], action: number): number[] {
  if (!actions.includes(action)) return actions as number[]
  const others = new Set((graph.gives[action] ?? []).flatMap((fact) => graph.makers[fact] ?? []))
  const rest = actions.filter((one) => one !== action)
  for (const other of [...others].sort((a, b) => comparePrices(priceAt(graph, a), priceAt(graph, b)))) {
    if (!isLess(priceAt(graph, other), priceAt(graph, action))) break
    const tried = new Set([...rest, other])
    if (tried.size === actions.length && reachesGoal(graph, (one) => tried.has(one))) return [...tried]
  }
  return actions as number[]
}
