/**
 * The cheapest set of actions that reaches the goal: branch and bound over the facts that no chosen action gives, starting from a
 * greedy plan. Exact in the major price (questions, changes, steps), unless the work limit is reached: then the best plan so far
 * is returned as not proved. The minor price is compared as far as the limit allows.
 */

import { type Graph, priceAt, reachableFacts, reachesGoal, restrictedGraph, usefulActions } from './graph.ts'
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
  const shortest = searchFrom(graph, improved(graph, greedy(graph)), maxWork, false)
  const start = improved(graph, shortest.best)
  // Plans of the same major price are compared only if the shortest is proved.
  const { best } = shortest.isComplete ? searchFrom(graph, start, maxWork / 4, true) : { best: start }
  return { actions: best.map((action) => was[action] ?? -1), isProvedBest: shortest.isComplete }
}

/** Starts from a plan and looks for cheaper ones. `ties`: also among plans of the same major price. */
function searchFrom(
  graph: Graph,
  start: readonly number[],
  maxWork: number,
  ties: boolean,
): { readonly best: readonly number[]; readonly isComplete: boolean } {
  let best = start
  let bestPrice = totalOf(graph, start)
  let workLeft = maxWork
  const bound = new LowerBound(graph, (work) => {
    workLeft -= work
    if (workLeft < 0) throw new OutOfWork()
  })

  /** Every plan with all of `chosen` and none that is not `open` or chosen. */
  const visit = (chosen: ReadonlySet<number>, open: readonly boolean[]): void => {
    const there = reachableFacts(graph, (action) => chosen.has(action))
    const price = totalOf(graph, chosen)
    if (graph.goal.every((fact) => there[fact] === 1)) {
      if (!isLess(price, bestPrice)) return
      bestPrice = price
      best = [...chosen]
      return
    }
    const least =
      price.major +
      bound.leastCost((action) => {
        if (chosen.has(action)) return 0
        return open[action] === true ? priceAt(graph, action).major : Number.POSITIVE_INFINITY
      })
    const isTie = ties && least === bestPrice.major && price.minor < bestPrice.minor
    if (least >= bestPrice.major && !isTie) return
    const left = [...open]
    for (const action of choicesOf(graph, chosen, open, there)) {
      visit(new Set([...chosen, action]), left)
      // All plans with it were visited: the others are without it.
      left[action] = false
    }
  }

  try {
    visit(
      new Set(),
      graph.needs.map(() => true),
    )
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error
    return { best, isComplete: false }
  }
  return { best, isComplete: true }
}

/**
 * Actions of which every plan here must add one: the makers of the fact with the fewest, or, if the chosen actions only wait for
 * each other, all that give any fact they wait for.
 */
function choicesOf(
  graph: Graph,
  chosen: ReadonlySet<number>,
  open: readonly boolean[],
  there: Uint8Array,
): readonly number[] {
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
