/** `myrmex runs budget` as people type it: a run that lacks money asks, gets another amount or nothing, and says so. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FLEET, openRunsFolder, PLAN, runIdIn } from '@myrmex/testing/cli/run-command'
import { expect, test, vi } from 'vitest'
import type { Plan } from '../../packages/myrmex/src/agent/plan/plan.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A run whose order costs 12.5, which is known only when its first step is done, and that has 10. */
async function runThatLacksMoney() {
  const shop = await openRunsFolder()
  const plan = JSON.parse(readFileSync(PLAN, 'utf8')) as Plan
  const order = plan.steps.find(({ id }) => id === 'order') ?? expect.fail('the plan has no order')
  order.arguments.amount = { $from: 'find', path: '/price' }
  writeFileSync(join(shop.here, 'plan.json'), JSON.stringify(plan))
  const command = ['run', 'Order', '--fleet', FLEET, '--plan', 'plan.json', '--budget', '10', '--approve', 'all']
  const paused = await shop.myrmex(command)
  const id = runIdIn(paused.stdout)
  return { shop, id, paused, resume: () => shop.myrmex(['runs', 'resume', id, '--fleet', FLEET]) }
}

test('a run that lacks money asks, gets the amount that a person names, and counts it from then on', async () => {
  const { shop, id, resume, paused } = await runThatLacksMoney()
  expect(paused.code).toBe(3)
  const said = paused.stdout.replaceAll(/\s+/g, ' ')
  expect(said).toContain(`run ${id} needs more budget: 0 of 10 in money are spent, and it asks for 2.5 more`)
  expect(said).toContain(`To continue: npx myrmex runs budget ${id} npx myrmex runs resume ${id}`)
  expect(shop.book).toEqual([])
  const wrong = await shop.myrmex(['runs', 'budget', id, '--calls', '5'])
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toContain('asks for more money, not calls')
  const given = await shop.myrmex(['runs', 'budget', id, '--money', '5'])
  expect(given.stdout).toContain('- /raise: 2.5\n  + /raise: 5\n')
  const done = await resume()
  expect(done).toMatchObject({ code: 0 })
  expect(done.stdout).toContain('Spent 11.5 of 15, 5 calls')
  expect(shop.book).toHaveLength(1)
  expect((await shop.myrmex(['runs', 'show', id])).stdout).toContain('budget   15 in money')
  expect((await shop.myrmex(['runs', 'budget', id])).stderr).toContain('does not ask for more budget')
})

test('a run that gets no more fails with the note, and nothing was bought', async () => {
  const { shop, id, resume } = await runThatLacksMoney()
  const both = await shop.myrmex(['runs', 'budget', id, '--refuse', '--money', '5'])
  expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be used with') })
  expect((await shop.myrmex(['runs', 'budget', id, '--refuse', '--note', 'too dear'])).code).toBe(0)
  const ended = await resume()
  expect(ended.code).toBe(1)
  expect(ended.stdout.replaceAll(/\s+/g, ' ')).toMatch(/was denied by \S+: too dear\./)
  expect(shop.book).toEqual([])
})
