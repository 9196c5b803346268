/** The approval of a step of a run belongs to the step, in every process that executes the run, and to no other call after it. */

import { approvalOf, type CallOutcome, call, latch, serve, serveRefundTool } from '@myrmex/testing/gated-server'
import { expect, test } from 'vitest'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Outcome } from '../outcome.ts'
import type { RunContext } from '../run-context.ts'

type Server = Awaited<ReturnType<typeof serve>>['server']

const step = (changes: Partial<RunContext> = {}): RunContext => ({
  run: 'r1',
  step: 's1',
  key: 'run:r1/s1/1',
  covers: () => undefined,
  reserve: () => undefined,
  settle: () => {},
  ...changes,
})

/** As the run does it. */
async function callStep(server: Server, runContext: RunContext): Promise<CallOutcome> {
  const ended = await server.pipeline.call({ ...plainCaller('direct', LOCAL), runContext }, 'shop.refund', { n: 1 })
  if (!(ended instanceof Outcome)) throw ended
  return { ...ended, call_id: runContext.key } as CallOutcome
}

test('a process that is turned away does not give back the approval under which another runs the same step', async () => {
  const [began, goOn] = [latch(), latch()]
  const served = await serveRefundTool({
    run: async () => {
      began.open()
      await goOn.opened
      return {}
    },
  })
  const other = await serve([served.refund], { file: served.file })
  const id = approvalOf(await callStep(served.server, step()))
  await served.ledger.approvals.approve(id, 'ada')
  const first = callStep(served.server, step())
  await began.opened
  expect(await callStep(other.server, step({ reserve: () => 'nothing is left' }))).toMatchObject({ status: 'failure' })
  expect(await served.ledger.approvals.find(id)).toMatchObject({ status: 'used' })
  goOn.open()
  expect(await first).toMatchObject({ status: 'success' })
  // The same arguments, sent by somebody who is not the step.
  expect(approvalOf(await call(served.server, 'shop.refund', { n: 1 }))).not.toBe(id)
  expect(served.refund.ran).toHaveLength(1)
})

test('a step that was turned away has its approval when it is tried again', async () => {
  const { server, ledger, refund } = await serveRefundTool()
  const id = approvalOf(await callStep(server, step()))
  await ledger.approvals.approve(id, 'ada')
  expect(await callStep(server, step({ reserve: () => 'the budget is spent' }))).toMatchObject({ status: 'failure' })
  expect(await callStep(server, step())).toMatchObject({ status: 'success' })
  expect(refund.ran).toEqual([{ n: 1 }])
  expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used', used_by: 'run:r1/s1/1' })
})
