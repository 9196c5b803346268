/**
 * The search space, without names: actions that each need facts and give facts. Asking a question is an action that needs
 * nothing. A plan is a set of actions that can be put in an order in which every fact is there before it is needed.
 */
import { isLess, type Price } from './price.ts'

export interface Graph {
  /** facts that each action needs */
  readonly needs: readonly (readonly number[])[]
  /** facts that each action gives */
  readonly gives: readonly (readonly number[])[]
  /** actions that give each fact */
  readonly makers: readonly (readonly number[])[]
  readonly prices: readonly Price[]
  /** actions that need each fact */
  readonly users: readonly (readonly number[])[]
  /** facts that must be there in the end */
  readonly goal: readonly number[]
}

const NOTHING: Price = { major: 0, minor: 0n }
export const priceAt = (graph: Graph, action: number): Price => graph.prices[action] ?? NOTHING

export function graphOf(
  needs: Graph['needs'],
  gives: Graph['gives'],
  prices: Graph['prices'],
  facts: number,
  goal: Graph['goal'],
): Graph {
  const makers: number[][] = Array.from({ length: facts }, () => [])
  for (const [action, given] of gives.entries()) for (const fact of given) makers[fact]?.push(action)
  const users: number[][] = Array.from({ length: facts }, () => [])
  for (const [action, needed] of needs.entries()) for (const fact of needed) users[fact]?.push(action)
  return { needs, gives, makers, users, prices, goal }
}

/** The order in which actions become possible, a level at a time; those that never do are in none. */
export function actionLevels(graph: Graph, allowed: (action: number) => boolean): number[][] {
  const there = new Uint8Array(graph.makers.length)
  const levels: number[][] = []
  let waiting = graph.needs.map((_, action) => action).filter(allowed)
  for (;;) {
    const level = waiting.filter((action) => graph.needs[action]?.every((fact) => there[fact] === 1))
    if (level.length === 0) return levels
    levels.push(level)
    for (const action of level) for (const fact of graph.gives[action] ?? []) there[fact] = 1
    const done = new Set(level)
    waiting = waiting.filter((action) => !done.has(action))
  }
}

/** The facts that are there once every allowed action that can has been done. */
export function reachableFacts(graph: Graph, allowed: (action: number) => boolean): Uint8Array {
  const there = new Uint8Array(graph.makers.length)
  const open = new Int32Array(graph.needs.length)
  const ready: number[] = []
  for (const [action, needs] of graph.needs.entries()) {
    open[action] = allowed(action) ? needs.length : -1
    if (open[action] === 0) ready.push(action)
  }
  const use = (user: number): void => {
    open[user] = (open[user] ?? 0) - 1
    if (open[user] === 0) ready.push(user)
  }
  for (const action of ready) {
    for (const fact of graph.gives[action] ?? []) {
      if (there[fact] === 1) continue
      there[fact] = 1
      graph.users[fact]?.forEach(use)
    }
  }
  return there
}

export const reachesGoal = (graph: Graph, allowed: (action: number) => boolean): boolean => {
  const there = reachableFacts(graph, allowed)
  return graph.goal.every((fact) => there[fact] === 1)
}

/**
 * The actions worth a look: possible at all, of use on some way to the goal, and not such that another one needs no more,
 * gives no less and costs less. A plan with any other is no better for it.
 */
export function usefulActions(graph: Graph): boolean[] {
  const kept = graph.needs.map(() => false)
  for (const level of actionLevels(graph, () => true)) for (const action of level) kept[action] = true
  for (;;) {
    const useful = usefulFacts(graph, kept)
    let changed = false
    for (const [action, given] of graph.gives.entries()) {
      if (kept[action] !== true) continue
      const uses = given.filter((fact) => useful.has(fact))
      if (uses.length > 0 && !isOutdone(graph, kept, action, uses)) continue
      kept[action] = false
      changed = true
    }
    if (!changed) return kept
  }
}

function usefulFacts(graph: Graph, kept: readonly boolean[]): Set<number> {
  const useful = new Set(graph.goal)
  for (const fact of useful) {
    for (const maker of graph.makers[fact] ?? []) {
      if (kept[maker] === true) for (const need of graph.needs[maker] ?? []) useful.add(need)
    }
  }
  return useful
}

function isOutdone(graph: Graph, kept: readonly boolean[], action: number, uses: readonly number[]): boolean {
  const [first] = uses
  const needs = new Set(graph.needs[action])
  return (graph.makers[first ?? -1] ?? []).some(
    (other) =>
      other !== action &&
      kept[other] === true &&
      isLess(priceAt(graph, other), priceAt(graph, action)) &&
      (graph.needs[other] ?? []).every((fact) => needs.has(fact)) &&
      uses.every((fact) => graph.gives[other]?.includes(fact)),
  )
}

/** The graph of these actions alone, and what each was called before. */
export function restrictedGraph(
  graph: Graph,
  kept: readonly boolean[],
): { readonly graph: Graph; readonly was: readonly number[] } {
  const was = graph.needs.map((_, action) => action).filter((action) => kept[action])
  const pick = <T>(list: readonly T[]): T[] => list.filter((_, action) => kept[action])
  const small = graphOf(pick(graph.needs), pick(graph.gives), pick(graph.prices), graph.makers.length, graph.goal)
  return { graph: small, was }
}
