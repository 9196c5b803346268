/** A run that was asked to approve everything goes on, though its leader died right after asking. */

import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { tool } from 'myrmex'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'

const sell = tool({
  name: 'shop.sell',
  version: '1.0.0',
  description: 'Sells.',
  input: z.object({}),
  output: z.object({}),
  errors: {},
  idempotent: false,
  destructive: true,
  security: 'none',
  examples: [],
  run: () => ({}),
})

let store: Store
beforeAll(async () => {
  store = await freshStore('sqlite')
})
afterAll(() => store.remove())

test('an approval that was asked for before a takeover can be given after it', async () => {
  const ledger = await store.open()
  await ledger.trustTool(sell, 'ann', { ask: true })
  const runs = runsOf([sell], ledger)
  const principal = { id: 'ann', kind: 'local' } as const
  const plan = planOf(step('a', 'shop.sell'))
  const { id } = await runs.start({ goal: 'test', principal, approve: 'all', plan })
  const dying = runs.execute(id, {
    onEvent: ({ kind }) => {
      if (kind === 'asked') ledger.db.query("UPDATE runs SET leader = 'somebody who died' WHERE id = ?", [id])
    },
  })
  expect(await dying).toMatchObject({ status: 'running' })
  expect(await runs.execute(id)).toMatchObject({ status: 'succeeded' })
})
