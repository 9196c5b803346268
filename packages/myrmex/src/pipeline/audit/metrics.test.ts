import { add, behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import { Pipeline } from '../pipeline.ts'
import { BOUNDS_MS, CallMetrics, type ToolMetrics } from './metrics.ts'

const caller = plainCaller('direct', LOCAL)
const endingsOf = (measures: CallMetrics) =>
  Object.fromEntries(
    [...measures.tools()].map(({ name, version, outcomes }) => [
      `${name} ${version}`,
      Object.fromEntries(outcomes.map(({ outcome, error_type, count }) => [`${outcome} ${error_type}`.trim(), count])),
    ]),
  )

test('calls are counted by tool, version, outcome and error type', async () => {
  const pipeline = new Pipeline(new Registry([add, behaveTool]))
  for (const how of ['success', 'success', 'partial', 'unchanged', 'declared', 'throw', 'badOutput', 'no such']) {
    await pipeline.call(caller, 'test.behave', { how })
  }
  await pipeline.call(caller, 'math.add', { a: 1, b: 2 })
  expect(endingsOf(pipeline.metrics)).toEqual({
    'test.behave 1.0.0': {
      success: 2,
      partial_success: 1,
      no_change_needed: 1,
      'failure FullError': 1,
      'failure ToolExecutionError': 2,
      'failure SchemaError': 1,
    },
    'math.add 1.0.0': { success: 1 },
  })
})

test('a definition that is loaded again goes on counting, and another version counts for itself', () => {
  const measures = new CallMetrics()
  const made = (version: string) =>
    tool({
      ...toolDefaults,
      version,
      name: 'a.b',
      input: { type: 'object' },
      output: { type: 'object' },
      run: () => ({}),
    })
  for (const version of ['1.0.0', '1.0.0', '2.0.0']) measures.of(made(version)).count('success', '', 1)
  expect(endingsOf(measures)).toEqual({ 'a.b 1.0.0': { success: 2 }, 'a.b 2.0.0': { success: 1 } })
})

test('names that nobody has are one name, however many there are', async () => {
  const pipeline = new Pipeline(new Registry([add]))
  for (let n = 0; n < 100; n++) await pipeline.call(caller, `made.up_${n}`, {})
  expect(endingsOf(pipeline.metrics)).toEqual({ 'unknown ': { 'failure ToolNotFoundError': 100 } })
})

test('error types without end become one', () => {
  const measures = new CallMetrics()
  for (let n = 0; n < 1000; n++) measures.of(add).count('failure', `Odd${n}Error`, 1)
  const [{ outcomes }] = [...measures.tools()] as [ToolMetrics]
  expect(outcomes.length).toBeLessThan(60)
  expect(outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
  expect(outcomes.at(-1)).toMatchObject({ error_type: 'other', count: 950 })
})

test('durations fall into the first bucket whose bound they do not pass', () => {
  const measures = new CallMetrics()
  for (const duration of [0, 1, 2, 3, 60_000, 60_001]) measures.of(add).count('success', '', duration)
  const [{ buckets, sum_ms }] = [...measures.tools()] as [ToolMetrics]
  expect(buckets).toHaveLength(BOUNDS_MS.length + 1)
  expect([buckets[0], buckets[1], buckets[2], buckets.at(-2), buckets.at(-1)]).toEqual([2, 1, 1, 1, 1])
  expect(sum_ms).toBe(120_007)
})

test('what has begun and not ended is in flight', () => {
  const measures = new CallMetrics()
  measures.begin()
  measures.begin()
  expect(measures.inFlight).toBe(2)
  measures.end()
  expect(measures.inFlight).toBe(1)
})

test('gauges of one name are added up until they are taken away; a counter is found again by its name', () => {
  const measures = new CallMetrics()
  const forget = measures.gauge('g', 'Some.', () => 2)
  measures.gauge('g', 'Some.', () => 3)
  const sum = () => [...measures.gauges()].map(({ readers }) => [...readers].reduce((total, read) => total + read(), 0))
  expect(sum()).toEqual([5])
  forget()
  expect(sum()).toEqual([3])
  measures.counter('c', 'Some.').inc()
  measures.counter('c', 'Some.').inc(2)
  expect([...measures.counters()]).toMatchObject([{ name: 'c', value: 3 }])
})
