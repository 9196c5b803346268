/** The search on bare graphs, held against a look at every set of actions, and stopped half way. */
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Graph, graphOf, reachesGoal } from './graph.ts'
import { comparePrices, type Price, sumOf } from './price.ts'
import { findCheapest } from './search.ts'

const RUNS = propertyRuns(80, 2000)
const FACTS = 9

const anyGraph = fc
  .record({
    actions: fc.array(
      fc.record({
        needs: fc.uniqueArray(fc.nat(FACTS - 1), { maxLength: 2 }),
        gives: fc.uniqueArray(fc.nat(FACTS - 1), { minLength: 1, maxLength: 3 }),
        major: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 1, maxLength: 10 },
    ),
    goal: fc.uniqueArray(fc.nat(FACTS - 1), { minLength: 1, maxLength: 5 }),
  })
  .map(({ actions, goal }) =>
    graphOf(
      actions.map(({ needs }) => needs),
      actions.map(({ gives }) => gives),
      actions.map(({ major }, place) => ({ major, minor: 1n << BigInt(place) })),
      FACTS,
      goal,
    ),
  )

const totalOf = (graph: Graph, actions: readonly number[]): Price =>
  sumOf(actions.map((action) => graph.prices[action] ?? { major: 0, minor: 0n }))

function bestByTrying(graph: Graph): Price | undefined {
  let best: Price | undefined
  for (let set = 0; set < 2 ** graph.needs.length; set++) {
    if (!reachesGoal(graph, (action) => ((set >> action) & 1) === 1)) continue
    const total = totalOf(
      graph,
      graph.needs.map((_, action) => action).filter((action) => (set >> action) & 1),
    )
    if (best === undefined || comparePrices(total, best) < 0) best = total
  }
  return best
}

test('what it finds reaches the goal and is the cheapest there is, to the last tie', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const found = findCheapest(graph)
      const best = bestByTrying(graph)
      if (found === undefined || best === undefined) {
        expect([found, best]).toEqual([undefined, undefined])
        return
      }
      expect(found.isProvedBest).toBe(true)
      expect(reachesGoal(graph, (action) => found.actions.includes(action))).toBe(true)
      expect(totalOf(graph, found.actions)).toEqual(best)
    }),
    { numRuns: RUNS * 4 },
  )
})

/** Six things. The widest action gives four of them, and yet the two that give three each are the shorter way. */
const TRAP: [gives: number[], price: number][] = [
  [[0, 1, 3, 4], 3],
  [[0, 1, 2], 2],
  [[3, 4, 5], 2],
  [[2], 1],
  [[5], 1],
]

test('what looks best at first is left where the whole is dearer, and work that ends too early is said', () => {
  const graph = graphOf(
    TRAP.map(() => []),
    TRAP.map(([gives]) => gives),
    TRAP.map(([, major], place) => ({ major, minor: 1n << BigInt(place) })),
    6,
    [0, 1, 2, 3, 4, 5],
  )
  expect(findCheapest(graph)?.actions.toSorted()).toEqual([1, 2])
  const stopped = findCheapest(graph, 0)
  expect(stopped?.isProvedBest).toBe(false)
  expect(reachesGoal(graph, (action) => stopped?.actions.includes(action) === true)).toBe(true)
})
