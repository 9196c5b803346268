/** A plan of a thousand steps is checked in under 100 ms of processor time once warm, and under 300 ms in a new process. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { manySteps, manyTools } from '@myrmex/testing/agent/large-plans'
import { ROOT } from '@myrmex/testing/paths'
import { ENFORCED, withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'
import { checkPlan } from '../check.ts'

const STEPS = 1000

test('a thousand steps over a hundred tools are checked', () => {
  const tools = manyTools(100)
  const plan = manySteps(STEPS, tools)
  const checked = checkPlan(plan, tools)
  expect(checked).toMatchObject({ ok: true, cost: 20 })
  expect(checked.ok && checked.levels.length).toBe(100)
  withTimeLimit(100, () => checkPlan(plan, tools), 9)
})

test('checking reads each step a bounded number of times, however many steps there are', () => {
  const tools = manyTools(100)
  const readsPerStep = (count: number): number => {
    let reads = 0
    const plan = manySteps(count, tools)
    const get = (target: object, key: string | symbol): unknown => {
      reads++
      return Reflect.get(target, key)
    }
    const steps = plan.steps.map((step) => new Proxy(step, { get }))
    expect(checkPlan({ ...plan, steps }, tools).ok).toBe(true)
    return reads / count
  }
  expect(readsPerStep(STEPS)).toBeLessThan(readsPerStep(STEPS / 10) * 2)
})

test('a thousand steps over a hundred tools that nobody has seen before are checked in a new process', async () => {
  const taken: number[] = []
  // The best of three counts: a limit of the processor time that the child reports.
  for (let turn = 0; turn < (ENFORCED ? 3 : 1); turn++) {
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'testing/agent/cold-check.ts')])
    taken.push(Number(stdout))
  }
  if (ENFORCED) expect(Math.min(...taken)).toBeLessThan(300)
})
