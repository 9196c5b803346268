/** Reports: the error of a failed step is in the report, whichever process recorded it. */
import { expect, test } from 'vitest'
import type { StepRow } from '../../../ledger/idempotency.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RunEvent } from './events.ts'
import { reportOf } from './report.ts'
import { stateOf } from './state.ts'

const step = { id: 'sell', agent: 'shop', tool: 'shop.sell', arguments: {}, needs: [], why: 'Sells.' }
const plan: Plan = { goal: 'g', steps: [step], budget: {}, assumptions: [], questions: [] }
const planned: RunEvent = {
  seq: 1,
  time: 0,
  kind: 'planned',
  step: null,
  body: { plan, by: 'test', notes: [], warnings: [], cost: 0, levels: [['sell']], tools: {} },
}
const error = { error_type: 'OutOfStock', error_message: 'None is left.', error_details: {} }
const recorded: StepRow = {
  step: 'sell',
  tool: 'shop.sell',
  call_id: 'c1',
  started_at: 0,
  finished_at: 5,
  outcome: JSON.stringify({ status: 'failure', data: null, error }),
}

const reported = (events: RunEvent[]) =>
  reportOf(stateOf([planned, ...events], [recorded]), 'failed', '', 0, 1).steps[0]

test('a step whose leader died before it wrote that it failed is reported with what its call failed with', () => {
  expect(reported([])).toMatchObject({ status: 'failed', error: 'OutOfStock: None is left.' })
})

test('what the leader wrote of a failed step counts for more than the record of its call', () => {
  const line = { ...error, error_type: 'PlanError', error_message: 'Given up.' }
  const failed: RunEvent = { seq: 2, time: 6, kind: 'failed', step: 'sell', body: { error: line } }
  expect(reported([failed])).toMatchObject({ status: 'failed', error: 'PlanError: Given up.' })
})
