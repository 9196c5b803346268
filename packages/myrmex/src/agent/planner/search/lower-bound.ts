/**
 * The least that a plan can still cost: disjoint sets of actions, one of each of which every plan must contain (landmark
 * cuts, Helmert and Domshlak 2009). Never more than the true cost, so that nothing better is ever cut off. The search asks this
 * thousands of times, so everything it writes into is made once.
 */
import type { Graph } from './graph.ts'

const NEVER = Number.POSITIVE_INFINITY

export class LowerBound {
  readonly #graph: Graph
  readonly #spend: (work: number) => void
  /** what a way to each fact costs by its dearest need; infinite where there is none */
  readonly #facts: Float64Array
  /** the same for a way through each action */
  readonly #actions: Float64Array
  readonly #prices: Float64Array
  readonly #queue: number[] = []
  /** the last cut in which a fact or an action was seen */
  readonly #zone: Int32Array
  readonly #seen: Int32Array
  #cuts = 0

  /** `spend` hears of each action that is visited, and may put an end to it. */
  constructor(graph: Graph, spend: (work: number) => void) {
    this.#graph = graph
    this.#spend = spend
    this.#facts = new Float64Array(graph.makers.length)
    this.#actions = new Float64Array(graph.needs.length)
    this.#prices = new Float64Array(graph.needs.length)
    this.#zone = new Int32Array(graph.makers.length)
    this.#seen = new Int32Array(graph.needs.length)
  }

  /** An action at price 0 is done already; one at an infinite price is out of the question. Infinite: out of reach. */
  leastCost(priceOf: (action: number) => number): number {
    this.pathCosts(priceOf)
    let least = 0
    for (;;) {
      const target = this.#dearest(this.#graph.goal)
      const height = this.#facts[target] ?? 0
      if (height === NEVER) return height
      if (height === 0) return least
      const cut = this.#cutBefore(target)
      let cheapest = NEVER
      for (const action of cut) cheapest = Math.min(cheapest, this.#prices[action] ?? 0)
      for (const action of cut) this.#prices[action] = (this.#prices[action] ?? 0) - cheapest
      least += cheapest
      // What became cheaper leads on from there; nothing else has changed.
      for (const action of cut) this.#settle(action)
      this.#settleAll()
    }
  }

  /** What the cheapest way through each action costs, by its dearest need alone. */
  pathCosts(priceOf: (action: number) => number): Float64Array {
    this.#facts.fill(NEVER)
    this.#actions.fill(NEVER)
    for (let action = 0; action < this.#prices.length; action++) {
      this.#prices[action] = priceOf(action)
      if (this.#graph.needs[action]?.length === 0) this.#settle(action)
    }
    this.#settleAll()
    return this.#actions
  }

  #settle(action: number): void {
    let cost = this.#prices[action] ?? 0
    const needs = this.#graph.needs[action] ?? []
    if (needs.length > 0) cost += this.#facts[this.#dearest(needs)] ?? 0
    if (cost >= (this.#actions[action] ?? 0)) return
    this.#actions[action] = cost
    this.#queue.push(action)
  }

  #settleAll(): void {
    const queue = this.#queue
    for (let next = 0; next < queue.length; next++) {
      const action = queue[next] ?? 0
      const cost = this.#actions[action] ?? 0
      for (const fact of this.#graph.gives[action] ?? []) {
        if ((this.#facts[fact] ?? 0) <= cost) continue
        this.#facts[fact] = cost
        for (const user of this.#graph.users[fact] ?? []) this.#settle(user)
      }
    }
    const work = queue.length
    queue.length = 0
    this.#spend(work)
  }

  /** The fact that costs most to reach; -1 where there are none. */
  #dearest(facts: readonly number[]): number {
    let best = -1
    let most = -1
    for (const fact of facts) {
      const height = this.#facts[fact] ?? 0
      if (height <= most) continue
      best = fact
      most = height
    }
    return best
  }

  /** The actions that lead into what is joined to the target for nothing. Whoever reaches the target does one of them. */
  #cutBefore(target: number): number[] {
    const mark = ++this.#cuts
    const zone = [target]
    this.#zone[target] = mark
    const entrances: number[] = []
    for (const fact of zone) {
      for (const maker of this.#graph.makers[fact] ?? []) {
        if (this.#seen[maker] === mark || this.#actions[maker] === NEVER) continue
        this.#seen[maker] = mark
        if (this.#prices[maker] !== 0) {
          entrances.push(maker)
          continue
        }
        const support = this.#dearest(this.#graph.needs[maker] ?? [])
        if (support === -1 || this.#zone[support] === mark) continue
        this.#zone[support] = mark
        zone.push(support)
      }
    }
    this.#spend(entrances.length)
    return entrances.filter((maker) => this.#zone[this.#dearest(this.#graph.needs[maker] ?? [])] !== mark)
  }
}
