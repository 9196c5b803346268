/** The order of steps: the levels of those that may run at the same time, and cycles. */
import { getOrMake } from '../../../protocol/get-or-make.ts'
import type { Step } from '../plan.ts'
import type { Problems } from './problem.ts'

/** For each step, the ids of the steps it needs. Unknown ids are not included. */
export type StepNeeds = ReadonlyMap<string, ReadonlySet<string>>

/** Each level is in the order of the plan. Steps in a cycle, or after one, are in no level. */
export function levelsOf(steps: readonly Step[], before: StepNeeds): string[][] {
  const waiting = new Map<string, number>()
  const after = new Map<string, string[]>()
  for (const { id } of steps) {
    const needs = before.get(id) ?? new Set()
    waiting.set(id, needs.size)
    for (const need of needs) getOrMake(after, need, () => []).push(id)
  }
  const position = new Map(steps.map(({ id }, index) => [id, index]))
  const levels: string[][] = []
  let level = steps.flatMap(({ id }) => (waiting.get(id) === 0 ? [id] : []))
  while (level.length > 0) {
    levels.push(level)
    const next: string[] = []
    for (const done of level) {
      for (const id of after.get(done) ?? []) {
        const left = (waiting.get(id) ?? 0) - 1
        waiting.set(id, left)
        if (left === 0) next.push(id)
      }
    }
    level = next.sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0))
  }
  return levels
}

/** Longer cycles are cut. The rest is counted. */
const MAX_SHOWN = 12

/** One problem for each cycle that shares no step with an earlier one. */
export function reportCycles(
  steps: readonly Step[],
  before: StepNeeds,
  levels: readonly string[][],
  problems: Problems,
): void {
  const index = new Map(steps.map(({ id }, place) => [id, place]))
  const free = new Set(levels.flat())
  const passed = new Set<string>()
  for (const { id } of steps) {
    if (free.has(id) || passed.has(id)) continue
    const cycle = cycleFrom(id, before, free, passed)
    const [first] = cycle
    if (first === undefined) continue
    problems.add('cycle', first, ['steps', index.get(first) ?? 0, 'needs'], () => inWords(cycle))
  }
}

/** Every blocked step needs another blocked one, so following them always leads back to a visited step. */
function cycleFrom(start: string, before: StepNeeds, free: ReadonlySet<string>, passed: Set<string>): string[] {
  const way: string[] = []
  let here: string | undefined = start
  while (here !== undefined && !passed.has(here)) {
    passed.add(here)
    way.push(here)
    here = before
      .get(here)
      ?.values()
      .find((need) => !free.has(need))
  }
  const from = here === undefined ? -1 : way.indexOf(here)
  return from === -1 ? [] : way.slice(from)
}

function inWords(cycle: readonly string[]): string {
  const [first = ''] = cycle
  if (cycle.length === 1) return `${first} needs itself: ${first} -> ${first}`
  const shown = cycle.length <= MAX_SHOWN ? cycle : [...cycle.slice(0, MAX_SHOWN), `(${cycle.length - MAX_SHOWN} more)`]
  return `each of these needs the next, so none can start: ${[...shown, first].join(' -> ')}`
}
