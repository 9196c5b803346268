/** The switch that stops everything, and runs: they wait, lose nothing, and go on when the operator switches back. On either engine. */
import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { ENGINES, freshStore } from '@myrmex/testing/ledger/ledger-store'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { type Tool, tool } from 'myrmex'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'

test.each(ENGINES)('a run waits while everything is stopped, and then does every step once (%s)', async (engine) => {
  const store = await freshStore(engine)
  onTestFinished(() => store.remove())
  const ledger = await store.open()
  const done: string[] = []
  const note: Tool = tool({
    ...toolDefaults,
    name: 'shop.note',
    input: z.object({ what: z.string() }),
    output: z.object({}),
    run: ({ what }: { what: string }) => {
      done.push(what)
      return {}
    },
  } as never)
  const runs = runsOf([note], ledger)
  onTestFinished(() => runs.close())
  const plan = planOf(step('a', 'shop.note', { what: 'a' }), step('b', 'shop.note', { what: 'b' }, ['a']))
  const waits = vi.spyOn(ledger.switches, 'resumed')
  await ledger.switches.set('stop', '', 'on', 'ada', 'incident 7')
  const { id } = await runs.start({ goal: 'Note', principal: { id: 'ann', kind: 'local' }, plan })
  const ended = runs.execute(id)
  await vi.waitFor(() => expect(waits).toHaveBeenCalled())
  expect(done).toEqual([])
  await ledger.switches.set('stop', '', 'off', 'ada')
  expect(await ended).toMatchObject({ status: 'succeeded' })
  expect(done).toEqual(['a', 'b'])
})
