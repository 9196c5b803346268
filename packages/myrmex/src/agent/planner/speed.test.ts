/** Planning for a fleet far larger than people have. The schemas are read again each time. */

import { listOf, number, objectOf, text, view } from '@myrmex/testing/agent/shop-tools'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import { checkPlan } from '../plan/check.ts'
import type { Plan } from '../plan/plan.ts'
import { planByRules } from './planner.ts'

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

/** Eight layers of tools: each needs one or two of the things that the layer before gives. */
function fleetOf(seed: number, things: number): ToolView[] {
  const pick = numbers(seed)
  const field = (of: number, thing: number): [string, JsonObject] => {
    const type = `type_${of}_${thing}`
    return [`thing_${of}_${thing}`, thing % 2 === 0 ? text(type) : number(type)]
  }
  let given: number[] = []
  let before: number[] = []
  return Array.from({ length: TOOLS }, (_, index) => {
    const layer = Math.floor((index * LAYERS) / TOOLS)
    if (index % (TOOLS / LAYERS) === 0) [before, given] = [given, []]
    const own = [pick(things), pick(things), pick(things)]
    given.push(...own)
    const [first, second, third] = own.map((thing) => field(layer, thing))
    const needs = Array.from({ length: 1 + pick(2) }, () => field(layer - 1, before[pick(before.length)] ?? 0))
    const optional = Array.from(
      { length: FIELDS / 2 - needs.length },
      (_, place) => [`option_${place}?`, text()] as const,
    )
    const noise = Array.from({ length: FIELDS / 2 - 3 }, (_, place) => [`field_${place}`, number()] as const)
    const rows = ['rows', listOf(objectOf(Object.fromEntries([third ?? []])))] as const
    return view(
      `module_${index % 7}.do_work_${index}`,
      Object.fromEntries([...(layer === 0 ? [['start', text('start')] as const] : needs), ...optional]),
      Object.fromEntries([first ?? [], second ?? [], rows, ...noise]),
      { description: `Does the work ${index} of the fleet.`, destructive: index % 5 === 0 },
    )
  })
}

const FLEETS = 7
const TIMES = 3

function planned(seed: number, things: number): Plan {
  const tools = fleetOf(seed, things)
  const want = [tools.at(-1)?.name ?? '']
  const plan = planByRules({ goal: 'the last of the work', context: { known: { start: 'here' }, want }, tools })
  expect(plan.questions).toEqual([])
  expect(checkPlan(plan, tools).ok).toBe(true)
  return plan
}

test.each([
  ['a thing has 1 or 2 makers', 50],
  ['a thing has 6 makers', 12],
])('200 tools of 10 fields, where %s, are planned', (_name, things) => {
  // 50 ms a fleet; the check of the plan is not worth counting.
  const plans = withTimeLimit(
    FLEETS * 50,
    () => Array.from({ length: FLEETS }, (_, index) => planned(index + 1, things)),
    TIMES,
  )
  for (const { steps } of plans) expect(steps.length).toBeGreaterThan(1)
})
