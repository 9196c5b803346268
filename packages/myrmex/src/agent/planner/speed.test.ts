/**
 * How long planning takes for a fleet far larger than people have, schemas read anew each time. Measured in time of the
 * processor, since the machine may be busy with something else.
 */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { ToolView } from '../fleet/view.ts'
import { checkPlan } from '../plan/check.ts'
import { planByRules } from './planner.ts'
import { listOf, number, objectOf, text, view } from './shop.fixture.ts'

const TOOLS = 200
const FIELDS = 10
const LAYERS = 8

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
}

/** Eight layers of tools: each needs things of the layer before, and several tools give each thing. */
function fleetOf(seed: number, needed: number): ToolView[] {
  const pick = numbers(seed)
  const kind = (name: string, index: number): JsonObject => (index % 2 === 0 ? text(name) : number(name))
  return Array.from({ length: TOOLS }, (_, index) => {
    const layer = Math.floor((index * LAYERS) / TOOLS)
    const things = (of: number, count: number): [string, JsonObject][] =>
      Array.from({ length: count }, () => pick(12)).map((thing) => [
        `thing_${of}_${thing}`,
        kind(`type_${of}_${thing}`, thing),
      ])
    const needs = layer === 0 ? [['start', text('start')] as const] : things(layer - 1, 1 + pick(needed))
    const optional = Array.from(
      { length: FIELDS / 2 - needs.length },
      (_, place) => [`option_${place}?`, text()] as const,
    )
    const noise = Array.from({ length: FIELDS / 2 - 3 }, (_, place) => [`field_${place}`, number()] as const)
    const rows: [string, JsonObject] = ['rows', listOf(objectOf(Object.fromEntries(things(layer, 1))))]
    return view(
      `module_${index % 7}.do_work_${index}`,
      Object.fromEntries([...needs, ...optional]),
      Object.fromEntries([...things(layer, 2), rows, ...noise]),
      { description: `Does the work ${index} of the fleet.`, destructive: index % 5 === 0 },
    )
  })
}

const FLEETS = 15

test.each([
  ['1 or 2 things needed by each', 2],
  ['1 to 4 things needed by each', 4],
])('200 tools of 10 fields, %s, are planned in under 50 ms', (name, needed) => {
  const times: number[] = []
  let steps = 0
  let proved = 0
  for (let seed = 1; seed <= FLEETS; seed++) {
    const tools = fleetOf(seed, needed)
    const want = [tools.at(-1)?.name ?? '']
    const before = process.cpuUsage()
    const plan = planByRules({ goal: 'the last of the work', context: { known: { start: 'here' }, want }, tools })
    times.push(process.cpuUsage(before).user / 1000)
    steps += plan.steps.length
    if (!plan.assumptions.some((said) => said.includes('shorter plan'))) proved++
    expect(plan.questions).toEqual([])
    expect(checkPlan(plan, tools).ok).toBe(true)
  }
  const median = times.toSorted((one, other) => one - other)[FLEETS >> 1] ?? 0
  const shape = `${(steps / FLEETS).toFixed(1)} steps, ${proved} of ${FLEETS} proved shortest`
  process.stdout.write(`planner: ${TOOLS} tools, ${name}: ${median.toFixed(1)} ms (median; ${shape})\n`)
  expect(median).toBeLessThan(50)
})
