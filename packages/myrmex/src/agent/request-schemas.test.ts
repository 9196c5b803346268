/** The two methods of an agent, held against the payloads of the specification (grammar and vocabulary, section 7). */
import { expect, test } from 'vitest'
import { CritiqueRequestSchema, PlanRequestSchema } from './request-schemas.ts'

const critique = {
  method: 'agent/critique',
  params: { task: 'Write Ad Copy', output: 'Buy our coffee!', criteria: ['persuasiveness', 'clarity'] },
}

test('the payloads are taken as they are printed, and as messages', () => {
  const plan = { method: 'agent/plan', params: { goal: 'Launch a new coffee brand', context: {} } }
  for (const envelope of [{}, { jsonrpc: '2.0', id: 1 }, { jsonrpc: '2.0', id: 'a' }]) {
    expect(PlanRequestSchema.parse({ ...plan, ...envelope })).toEqual({ ...plan, ...envelope })
    expect(CritiqueRequestSchema.parse({ ...critique, ...envelope })).toEqual({ ...critique, ...envelope })
  }
  expect(PlanRequestSchema.parse({ method: 'agent/plan', params: { goal: 'x' } }).params.context).toEqual({})
})

test.each([
  [{ method: 'agent/plan', params: { goal: '  ' } }],
  [{ method: 'agent/plan', params: {} }],
  [{ method: 'agent/plan', params: { goal: 'x', context: 7 } }],
  [{ method: 'agent/critique', params: { goal: 'x' } }],
])('%j is no request for a plan', (request) => {
  expect(PlanRequestSchema.safeParse(request).success).toBe(false)
})

test.each([
  [{ ...critique, params: { task: 'x', criteria: [] } }],
  [{ ...critique, params: { ...critique.params, criteria: 'clarity' } }],
])('%j is no request for a critique', (request) => {
  expect(CritiqueRequestSchema.safeParse(request).success).toBe(false)
})
