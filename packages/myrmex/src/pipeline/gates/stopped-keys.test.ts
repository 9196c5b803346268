/** The record under the key of a call that the operator stopped: repeated calls must not fail with it for a day. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { memoryLedger } from '../../ledger/open.ts'
import { META } from '../../protocol/versions.ts'
import { plainCaller } from '../../server/exchange.ts'
import { type Context, LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import type { Outcome } from '../outcome.ts'
import { Pipeline } from '../pipeline.ts'

test.each([
  ['runs again if its tool is idempotent', true, { started: 2, status: 'success' }],
  ['gets what is known of the first call otherwise', false, { started: 1, status: 'failure' }],
])('a repeated call %s', async (_what, idempotent, { started, status }) => {
  const run = vi.fn(async (_input: object, { signal }: Context) => {
    if (run.mock.calls.length === 1)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('asked to stop'))))
    return {}
  })
  const definition = { ...toolDefaults, name: 'test.work', idempotent, input: z.object({}), output: z.object({}), run }
  const ledger = memoryLedger()
  onTestFinished(() => ledger.close())
  const pipeline = new Pipeline(new Registry([tool(definition as never)]), { ledger })
  const call = () =>
    pipeline.call(plainCaller('direct', LOCAL), 'test.work', {}, { [META.idempotencyKey]: 'k' }) as Promise<Outcome>
  const first = call()
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1))
  await ledger.switches.set('stop', '', 'on', 'ada', 'incident 7')
  const stopped = { error_type: 'CancelledError', error_details: { switch: 'stop' } }
  expect((await first).error).toMatchObject(stopped)
  await ledger.switches.set('stop', '', 'off', 'ada')
  const second = await call()
  expect(second.status).toBe(status)
  if (status === 'failure') expect(second.error).toMatchObject(stopped)
  expect(run).toHaveBeenCalledTimes(started)
})
