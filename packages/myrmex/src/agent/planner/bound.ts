/**
 * The least that a plan can still cost: disjoint sets of actions, one of each of which every plan must contain (landmark
 * cuts, Helmert and Domshlak 2009). Never more than the true cost, so that nothing better is ever cut off.
 */
import type { Graph } from './graph.ts'

/** What a way to each fact and through each action costs by its dearest need; infinite where there is none. */
export interface Ways {
  readonly facts: Float64Array
  readonly actions: Float64Array
}

/** An action at price 0 is done already; one at an infinite price is out of the question. Infinite: the goal is out of reach. */
export function leastCost(graph: Graph, prices: Float64Array, spend: (work: number) => void): number {
  const left = prices.slice()
  let least = 0
  for (;;) {
    const ways = waysOf(graph, left, spend)
    const target = dearest(graph.goal, ways.facts)
    const height = ways.facts[target] ?? 0
    if (height === Number.POSITIVE_INFINITY) return height
    if (height === 0) return least
    const cut = cutBefore(graph, left, ways, target)
    let cheapest = Number.POSITIVE_INFINITY
    for (const action of cut) cheapest = Math.min(cheapest, left[action] ?? 0)
    for (const action of cut) left[action] = (left[action] ?? 0) - cheapest
    least += cheapest
    spend(cut.length)
  }
}

/** The fact that costs most to reach; -1 where there are none. */
function dearest(facts: readonly number[], heights: Float64Array): number {
  let best = -1
  let most = -1
  for (const fact of facts) {
    const height = heights[fact] ?? 0
    if (height > most) {
      best = fact
      most = height
    }
  }
  return best
}

export function waysOf(graph: Graph, prices: Float64Array, spend: (work: number) => void): Ways {
  const facts = new Float64Array(graph.makers.length).fill(Number.POSITIVE_INFINITY)
  const actions = new Float64Array(graph.needs.length).fill(Number.POSITIVE_INFINITY)
  const queue: number[] = []
  const settle = (action: number): void => {
    let cost = prices[action] ?? 0
    const needs = graph.needs[action] ?? []
    if (needs.length > 0) cost += facts[dearest(needs, facts)] ?? 0
    if (cost >= (actions[action] ?? 0)) return
    actions[action] = cost
    queue.push(action)
  }
  for (const [action, needs] of graph.needs.entries()) if (needs.length === 0) settle(action)
  for (let next = 0; next < queue.length; next++) {
    const action = queue[next] ?? -1
    const cost = actions[action] ?? 0
    for (const fact of graph.gives[action] ?? []) {
      if ((facts[fact] ?? 0) <= cost) continue
      facts[fact] = cost
      for (const user of graph.users[fact] ?? []) settle(user)
    }
  }
  spend(queue.length)
  return { facts, actions }
}

/** The actions that lead into what is joined to the target for nothing. Whoever reaches the target does one of them. */
function cutBefore(graph: Graph, prices: Float64Array, ways: Ways, target: number): number[] {
  const zone = new Set([target])
  const entrances = new Map<number, number>()
  for (const fact of zone) {
    for (const maker of graph.makers[fact] ?? []) {
      if (ways.actions[maker] === Number.POSITIVE_INFINITY) continue
      const support = dearest(graph.needs[maker] ?? [], ways.facts)
      entrances.set(maker, support)
      if (prices[maker] === 0 && support !== -1) zone.add(support)
    }
  }
  const cut: number[] = []
  for (const [maker, support] of entrances) if (!zone.has(support)) cut.push(maker)
  return cut
}
