/** Progress reports and parts of a result in one request: every one is sent, in order, with values that increase. */

import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Params } from '../protocol/jsonrpc.ts'
import { plainCaller } from '../server/exchange.ts'
import { LOCAL } from '../tool/context.ts'
import { RequestScope } from './request-scope.ts'

function scope(): { scope: RequestScope; sent: Params[] } {
  const sent: Params[] = []
  const notify = (_method: string, params: Params): void => void sent.push(params)
  const caller = { ...plainCaller('direct', LOCAL), notify }
  return { scope: new RequestScope(caller, { progressToken: 'p' }), sent }
}

const report = fc.record({ report: fc.double({ noNaN: true, noDefaultInfinity: true }) })
const step = fc.record({
  step: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.double({ min: 1e-6, max: 1, noNaN: true })),
})
const part = fc.record({ part: fc.nat() })

test('every part and every report that grows is sent, in order, with increasing values', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(report, step, part), { maxLength: 60 }), (events) => {
      const { scope: one, sent } = scope()
      let largest: number | undefined
      const expected: unknown[] = []
      for (const event of events) {
        if ('part' in event) {
          one.emit({ part: event.part })
          expected.push(event.part)
          continue
        }
        const value = 'step' in event ? (largest ?? 0) + event.step : event.report
        one.progress(value, undefined, String(value))
        if (largest !== undefined && value <= largest) continue
        largest = value
        expected.push(String(value))
      }
      const got = sent.map(
        ({ message, _meta }) => message ?? (_meta as { 'myrmex/partial': { part: number } })['myrmex/partial'].part,
      )
      expect(got).toEqual(expected)
      const values = sent.map(({ progress }) => progress as number)
      for (const [index, value] of values.entries()) {
        expect(Number.isFinite(value)).toBe(true)
        // At the largest of all numbers there is none above.
        if (index > 0 && value < Number.MAX_VALUE) expect(value).toBeGreaterThan(values[index - 1] as number)
      }
    }),
    { numRuns: propertyRuns(200, 5000) },
  )
})

test('parts leave the values of reports as they are', () => {
  const { scope: one, sent } = scope()
  one.emit({})
  for (let n = 1; n <= 3; n++) {
    one.progress(n, 3)
    for (let count = 0; count < 100; count++) one.emit({})
  }
  expect(sent.filter(({ _meta }) => _meta === undefined)).toEqual(
    [1, 2, 3].map((progress) => ({ progressToken: 'p', progress, total: 3 })),
  )
})

test('a value that is no finite number is dropped', () => {
  const { scope: one, sent } = scope()
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 'x' as never])
    one.progress(value)
  one.progress(1)
  expect(sent).toEqual([{ progressToken: 'p', progress: 1 }])
})
