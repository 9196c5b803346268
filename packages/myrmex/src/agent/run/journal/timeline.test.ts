import { expect, test } from 'vitest'
import type { AuditRecord } from '../../../ledger/audit/call-record.ts'
import { callsOf } from './timeline.ts'

const record = (call_id: string, time: number, duration_ms: number): AuditRecord =>
  ({ call_id, time, duration_ms, tool: 'demo.step', outcome: 'success' }) as AuditRecord

const order = (...records: AuditRecord[]): string[] =>
  callsOf(records, []).map(({ kind, call_id }) => `${kind} ${call_id}`)

test('a step that waited for another one starts after its end, also within a millisecond', () => {
  const inTurn = ['started a', 'finished a', 'started b', 'finished b']
  expect(order(record('a', 696, 3.4), record('b', 699, 2))).toEqual(inTurn)
  expect(order(record('a', 696, 3), record('b', 699, 0))).toEqual(inTurn)
  expect(order(record('a', 696, 0.2), record('b', 696, 0.3))).toEqual(inTurn)
})

test('calls that overlap are shown as they did', () => {
  expect(order(record('a', 696, 9), record('b', 699, 2))).toEqual([
    'started a',
    'started b',
    'finished b',
    'finished a',
  ])
})
