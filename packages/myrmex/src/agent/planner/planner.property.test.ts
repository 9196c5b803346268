/**
 * The planner on generated fleets, held against the checker and against a search that looks at every set of tools. RUNS sets
 * how many fleets, SEED which ones.
 */

import { anyFleet, type GeneratedFleet, sampleOf, solvableFleet, thing } from '@myrmex/testing/agent/generated-fleets'
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkPlan } from '../plan/check.ts'
import type { Plan, PlanContext } from '../plan/plan.ts'
import { planByRules } from './planner.ts'

const RUNS = propertyRuns(80, 2000)
const options = { numRuns: RUNS }
const LIMIT = 30_000 + RUNS * 100

const contextOf = ({ makers, known, wantTools, wantThings }: GeneratedFleet): PlanContext => ({
  known: Object.fromEntries(known.map((index) => [thing(index), sampleOf(index)])),
  want: [...wantTools.map((index) => makers[index]?.name ?? ''), ...wantThings.map(thing)],
})

const planFor = (fleet: GeneratedFleet, context = contextOf(fleet)): Plan =>
  planByRules({ goal: 'as wanted', context, tools: fleet.tools, learned: fleet.learned })

interface Measure {
  readonly changes: number
  readonly steps: number
}

/** Changes of state that no wish asks for, then steps. */
function measureOf(fleet: GeneratedFleet, members: readonly number[]): Measure {
  const isWanted = (index: number): boolean =>
    fleet.wantTools.includes(index) || fleet.wantThings.some((end) => fleet.makers[index]?.gives.includes(end))
  const changes = members.filter((index) => fleet.makers[index]?.destructive && !isWanted(index)).length
  return { changes, steps: members.length }
}

const isBetter = (one: Measure, other: Measure): boolean =>
  one.changes < other.changes || (one.changes === other.changes && one.steps < other.steps)

/** Whether these tools, and no others, can all be called, one after the other, and give what is wanted. */
function works(fleet: GeneratedFleet, members: readonly number[]): boolean {
  const there = new Set(fleet.known)
  const waiting = new Set(members)
  for (let before = -1; before !== waiting.size; ) {
    before = waiting.size
    for (const index of waiting) {
      const maker = fleet.makers[index]
      if (!maker?.needs.every((need) => there.has(need))) continue
      for (const given of maker.gives) there.add(given)
      waiting.delete(index)
    }
  }
  const isCalled = fleet.wantTools.every((index) => members.includes(index))
  return waiting.size === 0 && isCalled && fleet.wantThings.every((end) => there.has(end))
}

/** The best of all sets of tools that work. */
function bestByTrying(fleet: GeneratedFleet): Measure | undefined {
  let best: Measure | undefined
  for (let set = 0; set < 2 ** fleet.makers.length; set++) {
    const members = fleet.makers.map((_, index) => index).filter((index) => (set >> index) & 1)
    if (!works(fleet, members)) continue
    const found = measureOf(fleet, members)
    if (best === undefined || isBetter(found, best)) best = found
  }
  return best
}

const membersOf = (fleet: GeneratedFleet, plan: Plan): number[] =>
  plan.steps.map(({ tool }) => fleet.makers.findIndex(({ name }) => name === tool))

/** A plan that still asks lacks arguments, and nothing else may be wrong with it. */
function expectChecked(fleet: GeneratedFleet, plan: Plan): void {
  const checked = checkPlan(plan, fleet.tools)
  const problems = checked.ok ? [] : checked.problems
  const left = plan.questions.length === 0 ? problems : problems.filter(({ code }) => code !== 'missing-argument')
  expect(left).toEqual([])
  if (checked.ok) expect(checked.warnings.filter(({ code }) => code === 'need-added')).toEqual([])
}

test(
  'where a plan exists it finds one without questions, and no set of tools that works is better',
  () => {
    const tally = { solvable: 0, not: 0, steps: 0 }
    fc.assert(
      fc.property(anyFleet({ things: 7, tools: 9 }), (fleet) => {
        const plan = planFor(fleet)
        const best = bestByTrying(fleet)
        expectChecked(fleet, plan)
        tally[best === undefined ? 'not' : 'solvable']++
        if (best === undefined) {
          expect(plan.questions.length).toBeGreaterThan(0)
          return
        }
        expect(plan.questions).toEqual([])
        expect(works(fleet, membersOf(fleet, plan))).toBe(true)
        expect(measureOf(fleet, membersOf(fleet, plan))).toEqual(best)
        tally.steps += best.steps
      }),
      options,
    )
    expect(tally.solvable).toBeGreaterThan(RUNS / 10)
    expect(tally.not).toBeGreaterThan(RUNS / 20)
  },
  LIMIT,
)

test(
  'what can be solved by construction, among tools that mislead, is solved without a question',
  () => {
    fc.assert(
      fc.property(solvableFleet({ things: 12, tools: 16 }), (fleet) => {
        const plan = planFor(fleet)
        expectChecked(fleet, plan)
        expect(plan.questions).toEqual([])
        expect(works(fleet, membersOf(fleet, plan))).toBe(true)
        const row = Array.from({ length: Math.ceil(fleet.makers.length / 2) }, (_, index) => index)
        expect(isBetter(measureOf(fleet, row), measureOf(fleet, membersOf(fleet, plan)))).toBe(false)
      }),
      options,
    )
  },
  LIMIT,
)

test(
  'each missing value is asked for once, and with the answers nothing more is asked',
  () => {
    let asked = 0
    fc.assert(
      fc.property(anyFleet({ things: 9, tools: 9 }), (any) => {
        // An answer that is itself what the goal wants would leave nothing to do.
        const fleet = { ...any, wantThings: [] }
        const { known = {}, ...context } = contextOf(fleet)
        const plan = planFor(fleet)
        const inputs = plan.questions.map(({ input }) => input)
        expect(new Set(inputs).size).toBe(inputs.length)
        asked += inputs.length
        const answers = Object.fromEntries(
          inputs.map((input) => [
            input,
            sampleOf(Array.from({ length: 9 }, (_, index) => thing(index)).indexOf(input)),
          ]),
        )
        const answered = planFor(fleet, { ...context, known: { ...known, ...answers } })
        expect(answered.questions).toEqual([])
        expectChecked(fleet, answered)
        for (const input of inputs) {
          const { [input]: _, ...others } = answers
          const lacking = planFor(fleet, { ...context, known: { ...known, ...others } })
          expect(lacking.questions.length, `without ${input}`).toBeGreaterThan(0)
        }
      }),
      options,
    )
    expect(asked).toBeGreaterThan(RUNS / 10)
  },
  LIMIT,
)

test(
  'when one thing that no tool gives is forgotten, the question is for that thing, or for another that does as well',
  () => {
    let forgotten = 0
    fc.assert(
      fc.property(anyFleet({ things: 8, tools: 8 }), (any) => {
        // For what only a tool that changes state gives, asking is the better way.
        const fleet = { ...any, ...safe(any), wantThings: [] }
        if (bestByTrying(fleet) === undefined) return
        // A tool that needs a thing in order to give it is no way to come by it.
        const isGiven = (index: number): boolean =>
          fleet.makers.some(({ needs, gives }) => gives.includes(index) && !needs.includes(index))
        for (const index of fleet.known.filter((one) => !isGiven(one))) {
          const without = { ...fleet, known: fleet.known.filter((one) => one !== index) }
          if (bestByTrying(without) !== undefined) continue
          forgotten++
          const others = Array.from({ length: 8 }, (_, other) => other).filter((other) => !isGiven(other))
          const asLittle = others.filter((other) => bestByTrying({ ...without, known: [...without.known, other] }))
          const inputs = planFor(without).questions.map(({ input }) => input)
          expect(inputs).toHaveLength(1)
          expect(asLittle.map(thing)).toContain(inputs[0])
        }
      }),
      options,
    )
    expect(forgotten).toBeGreaterThan(0)
  },
  LIMIT,
)

const safe = ({ makers, tools }: GeneratedFleet): Pick<GeneratedFleet, 'makers' | 'tools'> => ({
  makers: makers.map((maker) => ({ ...maker, destructive: false })),
  tools: tools.map((tool) => ({ ...tool, destructive: false })),
})

test(
  'the order in which tools come does not change the plan, and asking twice gives the same plan',
  () => {
    fc.assert(
      fc.property(anyFleet({ things: 8, tools: 10 }), fc.nat(), (fleet, turn) => {
        const plan = planFor(fleet)
        const cut = turn % fleet.tools.length
        const turned = [...fleet.tools.slice(cut), ...fleet.tools.slice(0, cut)].reverse()
        const copies = structuredClone(turned)
        expect(planFor({ ...fleet, tools: turned })).toEqual(plan)
        expect(planFor({ ...fleet, tools: copies })).toEqual(plan)
      }),
      options,
    )
  },
  LIMIT,
)

test('steps need only what they refer to, so that the others may run beside them', () => {
  fc.assert(
    fc.property(anyFleet({ things: 8, tools: 10 }), (fleet) => {
      const plan = planFor(fleet)
      const seen = new Set<string>()
      for (const [index, step] of plan.steps.entries()) {
        expect(step.id).toBe(`s${index + 1}`)
        const referred = [...JSON.stringify(step.arguments).matchAll(/"\$from":"(s\d+)"/g)].map(([, id]) => id)
        expect(step.needs.toSorted()).toEqual([...new Set(referred)].toSorted())
        expect(step.needs.every((need) => seen.has(need))).toBe(true)
        seen.add(step.id)
      }
    }),
    options,
  )
})
