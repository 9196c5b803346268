/** /api/runs: what a run asks for, given or refused, once. */
import { serve } from '@myrmex/testing/gated-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { expect, test } from 'vitest'
import { canonical } from '../../protocol/canonical.ts'

async function asking() {
  const served = await serve([])
  const api = await serveOperatorApi(served)
  const { id } = await served.ledger.runs.create({ goal: 'Buy', principal: 'ann', settings: '{}' }, '{}')
  const args = { run: id, goal: 'Buy', step: 'b', tool: 'shop.buy', what: 'money', limit: 10, spent: 8, raise: 6 }
  const exact = { tool: 'run.budget', version: '1.0.0', hash: 'a'.repeat(64), args_hash: 'b', principal: 'ann' }
  const { id: approval } = await served.ledger.approvals.request(exact, canonical(args), 'used up', undefined, true)
  return { ...served, api, id, approval }
}

test('a run that asks for more budget is listed with it, and is given another amount once', async () => {
  const { api, id, approval, ledger } = await asking()
  expect((await api.get('/api/runs?open=true')).json.runs).toMatchObject([
    {
      id,
      goal: 'Buy',
      status: 'running',
      asks_for: { approval, what: 'money', limit: 10, spent: 8, raise: 6, step: 'b' },
    },
  ])
  expect(await api.post(`/api/runs/${id}/budget`, { raise: -1 })).toMatchObject({ status: 400 })
  expect(await api.post(`/api/runs/${id}/budget`, { raise: 20, note: 'go on' })).toMatchObject({
    status: 200,
    json: { id, asks_for: null },
  })
  expect(await ledger.approvals.find(approval)).toMatchObject({
    status: 'approved',
    decided_by: 'ada',
    note: 'go on',
    edited_args: expect.stringContaining('"raise":20'),
  })
  expect(await api.post(`/api/runs/${id}/budget`, {})).toMatchObject({ status: 409 })
  expect(await api.post('/api/runs/r-none/budget', {})).toMatchObject({ status: 404 })
})

test('a run is refused more budget', async () => {
  const { api, id, approval, ledger } = await asking()
  // Which of the two was meant?
  expect(await api.post(`/api/runs/${id}/budget`, { refuse: true, raise: 5 })).toMatchObject({ status: 400 })
  expect(await ledger.approvals.find(approval)).toMatchObject({ status: 'waiting' })
  expect(await api.post(`/api/runs/${id}/budget`, { refuse: true, note: 'no' })).toMatchObject({ status: 200 })
  expect(await ledger.approvals.find(approval)).toMatchObject({ status: 'denied', note: 'no' })
})
