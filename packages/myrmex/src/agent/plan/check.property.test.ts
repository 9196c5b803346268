/**
 * Plans made at random: those that are right pass and can be carried out, and a single damage is found. AGENT_RUNS says how
 * many plans.
 */

import { diceOf, pick, randomPlan } from '@myrmex/testing/agent/random-plans'
import { propertyRuns } from '@myrmex/testing/long'
import { type Check, compileCheck } from '@myrmex/testing/spec/random-schemas'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonObject, pointer } from '../../protocol/json.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import { checkPlan } from './check.ts'
import type { Plan, Step } from './plan.ts'
import { findReferences, resolveReferences } from './reference.ts'

const RUNS = propertyRuns(40, 2000)
const LIMIT = 20_000 + RUNS * 50

/** The validator of every call, made once for each tool. */
function judgesOf(tool: ToolView): { input: Check; output: Check } {
  const made = judges.get(tool) ?? { input: compileCheck(tool.input), output: compileCheck(tool.output as JsonObject) }
  judges.set(tool, made)
  return made
}
const judges = new WeakMap<ToolView, { input: Check; output: Check }>()

test(
  'a plan that is right passes, and every argument is there and fits when its time has come',
  () => {
    let references = 0
    fc.assert(
      fc.property(fc.gen(), fc.nat({ max: 5 }), (choose, turn) => {
        const { plan, tools, resultOf } = randomPlan(diceOf(choose))
        const checked = checkPlan(plan, tools)
        expect(checked).toMatchObject({ ok: true, plan })
        if (!checked.ok) return
        expect(checked.warnings.filter(({ code }) => code !== 'may-not-fit')).toEqual([])
        const results = new Map<string, JsonObject>()
        for (const id of checked.levels.flat()) {
          const step = checked.plan.steps.find((one) => one.id === id) as Step
          const judge = judgesOf(tools.find(({ name }) => name === step.tool) as ToolView)
          expect(step.needs.every((need) => results.has(need))).toBe(true)
          references += [...findReferences(step.arguments)].length
          const resolved = resolveReferences(step.arguments as JsonObject, (from) => results.get(from))
          expect(resolved).toMatchObject({ ok: true })
          if (resolved.ok) expect(judge.input(resolved.value)).toEqual([])
          const data = resultOf(id, turn)
          expect(judge.output(data)).toEqual([])
          results.set(id, data)
        }
      }),
      { numRuns: RUNS },
    )
    expect(references, 'there was something to refer to').toBeGreaterThan(RUNS)
  },
  LIMIT,
)

/** One place of the plan is spoilt; the codes that say so. Undefined where this plan has no such place. */
type Damage = (
  plan: Plan,
  tools: readonly ToolView[],
  pick: <T>(list: readonly T[]) => T | undefined,
) => string[] | undefined

const requiredOf = (step: Step, tools: readonly ToolView[]): string[] =>
  (tools.find(({ name }) => name === step.tool)?.input.required ?? []) as string[]
const referring = (plan: Plan): { step: Step; name: string; value: { $from: string; path: string } }[] =>
  plan.steps.flatMap((step) =>
    [...findReferences(step.arguments)].map(({ path, value }) => ({ step, name: pointer(path).slice(1), value })),
  )
const literals = (plan: Plan): { step: Step; name: string }[] =>
  plan.steps.flatMap((step) => {
    const refer = new Set([...findReferences(step.arguments)].map(({ path }) => pointer(path).slice(1)))
    return Object.keys(step.arguments)
      .filter((name) => !refer.has(name))
      .map((name) => ({ step, name }))
  })

const DAMAGES: Record<string, Damage> = {
  'an unknown tool': (plan, _, pick) => {
    const step = pick(plan.steps)
    if (step !== undefined) step.tool += 'x'
    return ['unknown-tool']
  },
  'another agent': (plan, _, pick) => {
    const step = pick(plan.steps)
    if (step !== undefined) step.agent = 'nobody'
    return ['wrong-agent']
  },
  'an argument taken away': (plan, tools, pick) => {
    const step = pick(plan.steps.filter((one) => requiredOf(one, tools).length > 0))
    const name = step === undefined ? undefined : pick(requiredOf(step, tools))
    if (step === undefined || name === undefined) return undefined
    delete step.arguments[name]
    return ['missing-argument']
  },
  'an argument too many': (plan, _, pick) => {
    const step = pick(plan.steps)
    if (step !== undefined) step.arguments.nobody_knows = 1
    return ['unknown-argument']
  },
  'a value of the wrong kind': (plan, _, pick) => {
    const place = pick(literals(plan))
    if (place === undefined) return undefined
    place.step.arguments[place.name] = [{ wrong: true }, 1]
    return ['bad-argument']
  },
  'a reference to a step that is not there': (plan, _, pick) => {
    const place = pick(referring(plan))
    if (place === undefined) return undefined
    place.step.arguments[place.name] = { ...place.value, $from: 's99' }
    return ['unknown-step']
  },
  'a path that leads nowhere': (plan, _, pick) => {
    const place = pick(referring(plan))
    if (place === undefined) return undefined
    place.step.arguments[place.name] = { ...place.value, path: `${place.value.path.slice(0, 6)}x` }
    return ['no-such-path']
  },
  'a path that goes too far': (plan, _, pick) => {
    const place = pick(referring(plan))
    if (place === undefined) return undefined
    place.step.arguments[place.name] = { ...place.value, path: `${place.value.path}/nowhere` }
    return ['no-such-path']
  },
  'the whole result for a part of it': (plan, _, pick) => {
    const place = pick(referring(plan))
    if (place === undefined) return undefined
    place.step.arguments[place.name] = { ...place.value, path: '' }
    return ['unfit-type']
  },
  'a reference with something in it': (plan, _, pick) => {
    const place = pick(referring(plan))
    if (place === undefined) return undefined
    place.step.arguments[place.name] = { ...place.value, default: 1 }
    return ['bad-reference']
  },
  'a circle': (plan, _, pick) => {
    const step = pick(plan.steps.filter(({ needs }) => needs.length > 0))
    const other = plan.steps.find(({ id }) => id === step?.needs[0])
    if (step === undefined || other === undefined) return undefined
    other.needs.push(step.id)
    return ['cycle']
  },
  'an id given twice': (plan, _, pick) => {
    const step = pick(plan.steps)
    if (step === undefined || plan.steps.length < 2) return undefined
    plan.steps.push({ ...step })
    return ['duplicate-id']
  },
  'too few calls': (plan) => {
    plan.budget.calls = plan.steps.length - 1
    return ['too-many-calls']
  },
  'no reason': (plan, _, pick) => {
    const step = pick(plan.steps) as Partial<Step>
    delete step.why
    return ['bad-shape']
  },
}

test(
  'a single damage is found, wherever it is',
  () => {
    const tally = new Map(Object.keys(DAMAGES).map((name) => [name, 0]))
    fc.assert(
      fc.property(fc.gen(), fc.constantFrom(...Object.keys(DAMAGES)), (choose, name) => {
        const made = randomPlan(diceOf(choose))
        const plan = structuredClone(made.plan)
        const one = <T>(list: readonly T[]): T | undefined =>
          list.length === 0 ? undefined : pick(diceOf(choose), list)
        const codes = DAMAGES[name]?.(plan, made.tools, one)
        fc.pre(codes !== undefined)
        tally.set(name, (tally.get(name) ?? 0) + 1)
        const checked = checkPlan(plan, made.tools)
        expect(checked.ok ? [] : checked.problems.map(({ code }) => code), name).toEqual(
          expect.arrayContaining(codes ?? []),
        )
      }),
      { numRuns: RUNS * 3, maxSkipsPerRun: 100 },
    )
    for (const [name, count] of tally) expect(count, `${name} was tried`).toBeGreaterThan(0)
  },
  LIMIT,
)

test('whatever it is given, it answers', () => {
  const { tools } = randomPlan(() => 0)
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true }), (value) => {
      expect(checkPlan(value, tools).ok).toBe(false)
      const plan = { goal: '', steps: [value], budget: {}, assumptions: [], questions: [] }
      expect(checkPlan(plan, tools).ok).toBe(false)
      const step = { id: 's', agent: 'a', tool: tools[0]?.name, arguments: { x: value }, needs: [], why: '' }
      const checked = checkPlan({ ...plan, steps: [step] }, tools)
      expect(checked.ok ? [] : checked.problems.length).toBeGreaterThan(0)
    }),
    { numRuns: RUNS },
  )
})
