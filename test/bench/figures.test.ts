/** How the bench turns rounds into figures: nobody gains by its place in a round, every figure has its spread, and aims are judged by it. */
import { describe, expect, test } from 'vitest'
import { type AtMost, aims, gateAims } from '../../bench/aims.ts'
import { bestGateway } from '../../bench/host/gateways.ts'
import { cpuRatioOf, type Figure, ratioOf, timeFigure, timesAsLong } from '../../bench/measure/figure.ts'
import { gateAimResults, gatesToMeasure, usesOf } from '../../bench/measure/gates.ts'
import { interleave, orderInRound } from '../../bench/measure/rounds.ts'
import { quantile, ratioSpread, spreadOf } from '../../bench/measure/spread.ts'
import { aimResult, aimsJson, aimsTable, atMostTable, costsJson, gatesTable } from '../../bench/report.ts'

const rates = (...rounds: number[]): Figure => ({ unit: 'calls/s', rounds, ...spreadOf(rounds) })

describe('the order of a round', () => {
  test.each([2, 3, 4, 5])('gives each of %i targets every place equally often', (count) => {
    const orders = Array.from({ length: 2 * count }, (_, round) => orderInRound(round, count))
    for (let place = 0; place < count; place++) {
      const there = orders.map((order) => order[place])
      for (let target = 0; target < count; target++) expect(there.filter((one) => one === target)).toHaveLength(2)
    }
  })

  test('lets two targets lead and follow equally often', () => {
    expect(Array.from({ length: 4 }, (_, round) => orderInRound(round, 2))).toEqual([
      [0, 1],
      [1, 0],
      [1, 0],
      [0, 1],
    ])
  })

  test('turns around, so that a target does not always run after the same other one', () => {
    const orders = Array.from({ length: 6 }, (_, round) => orderInRound(round, 3))
    const before = orders.map((order) => order[order.indexOf(1) - 1])
    expect(new Set(before)).toEqual(new Set([0, 2, undefined]))
  })
})

test('a round has every target once, and there are rounds until each has had every place', async () => {
  const order: string[] = []
  const items = new Map([
    ['a', 'A'],
    ['b', 'B'],
    ['c', 'C'],
  ])
  const results = await interleave(items, 4, async (item) => order.push(item))
  expect(order.join('')).toBe('ABCBCACABCBAACBBAC')
  expect([...results].map(([name, list]) => [name, list.length])).toEqual([
    ['a', 6],
    ['b', 6],
    ['c', 6],
  ])
  // The results of a name are in the order of its rounds.
  expect(results.get('c')).toEqual([3, 5, 7, 10, 14, 18])
})

test('a figure is the median with the lowest and the highest quartile', () => {
  expect(spreadOf([5, 1, 4, 2, 3])).toEqual({ median: 3, low: 2, high: 4 })
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, low: 1.75, high: 3.25 })
  expect(quantile([], 0.5)).toBeNaN()
})

test('a ratio is the median of the ratios of rounds, not the ratio of the medians', () => {
  // The machine was ten times slower in the second round, for both.
  const ours = rates(20, 2, 30)
  const peer = rates(10, 1, 10)
  expect(ratioOf(ours, peer)).toEqual({ median: 2, low: 2, high: 2.5 })
  const [time, other] = [timeFigure([10, 100, 10]), timeFigure([20, 200, 30])]
  expect(ratioOf(time, other)).toEqual({ median: 2, low: 2, high: 2.5 })
  expect(timesAsLong(time, other).median).toBe(0.5)
  expect(cpuRatioOf({ ...ours, serverMicros: 2 }, { ...peer, serverMicros: 5 })).toBe(2.5)
  expect(cpuRatioOf(ours, peer)).toBeUndefined()
  expect(() => ratioSpread([1, 2], [1])).toThrow('2 rounds cannot be compared with 1')
})

test('an aim is judged by the median, and printed with the spread', () => {
  const aim = { id: 'stdio_vs_bare', scenario: 'stdio', peer: 'bare', aim: 0.6 } as const
  const met = aimResult(
    aim,
    new Map([
      ['ours', rates(5, 6, 8)],
      ['bare', rates(10, 10, 10)],
    ]),
  )
  const missed = aimResult(
    aim,
    new Map([
      ['ours', rates(5, 5, 8)],
      ['bare', rates(10, 10, 10)],
    ]),
  )
  const absent = aimResult(aim, new Map([['bare', rates(10, 10, 10)]]))
  const [, , first, second, third] = aimsTable([met, missed, absent]).split('\n')
  expect(first).toMatch(/0\.60 +0\.55 – 0\.70 +>= 0\.6 +yes$/)
  expect(second).toMatch(/0\.50 +0\.50 – 0\.65 +>= 0\.6 +NO$/)
  expect(third).toMatch(/not there yet$/)
  expect(JSON.parse(aimsJson([met, absent])).aims).toEqual([
    {
      id: 'stdio_vs_bare',
      ratio: 0.6,
      low: 0.55,
      high: 0.7,
      aim: 0.6,
      ours: { unit: 'calls/s', median: 6, low: 5.5, high: 7, rounds: 3 },
      peer: { unit: 'calls/s', median: 10, low: 10, high: 10, rounds: 3 },
    },
    expect.objectContaining({ id: 'stdio_vs_bare', ratio: null, low: null, high: null, aim: 0.6 }),
  ])
})

test('what must not be above its aim is judged the other way round', () => {
  const costs: AtMost[] = [
    { id: 'low', measured: { median: 1.1, low: 1, high: 1.3 }, atMost: 1.1 },
    { id: 'high', measured: { median: 1.2, low: 1, high: 1.3 }, atMost: 1.1 },
  ]
  const [, , low, high] = atMostTable(costs).split('\n')
  expect(low).toMatch(/1\.10 +1\.00 – 1\.30 +<= 1\.1 +yes$/)
  expect(high).toMatch(/NO$/)
  const json = { id: 'low', measured: 1.1, low: 1, high: 1.3, atMost: 1.1 }
  expect(JSON.parse(costsJson(costs)).aims[0]).toEqual(json)
  expect(JSON.parse(aimsJson([], costs)).costs[0]).toEqual(json)
})

test('every aim has an id of its own', () => {
  expect(new Set(aims.map(({ id }) => id)).size).toBe(aims.length)
})

describe('the gates', () => {
  test('are those of the package, and each use that the bench knows is of one of them', () => {
    const { chain, uses } = gatesToMeasure()
    const names = chain.map(({ name }) => name)
    for (const name of [...uses.keys(), ...Object.keys(gateAims)]) expect(names).toContain(name)
    for (const [name, atMost] of Object.entries(gateAims)) expect(uses.get(name)?.atMost).toBe(atMost)
  })

  test('throw for a use of a gate that does not exist', () => {
    const gates = [{ name: 'limit' }, { name: 'idempotency' }]
    expect(usesOf(gates, { limit: 1 })).toEqual(new Map([['limit', 1]]))
    expect(() => usesOf(gates, { limit: 1, once: 2 })).toThrow(
      'no gate is called once; the gates are limit, idempotency',
    )
  })

  test('are judged with 64 calls in flight and one at a time', () => {
    const spread = (median: number) => ({ median, low: median, high: median })
    const costs = [
      { gate: 'run', plain: spread(1) },
      { gate: 'limit', plain: spread(0), used: { how: '', together: spread(5), alone: spread(7), atMost: 6 } },
    ]
    expect(gateAimResults(costs).map(({ id, measured }) => [id, measured.median])).toEqual([
      ['gate_limit_64', 5],
      ['gate_limit_1', 7],
    ])
    expect(gatesTable(costs).split('\n').at(-1)).toMatch(/<= 6 +yes, NO$/)
  })
})

test('the best gateway is the one of others with the lowest median', () => {
  const [hub, proxy] = [timeFigure([9, 2, 3], 'µs'), timeFigure([4, 4, 1], 'µs')]
  const ways = [
    ['myrmex host', timeFigure([1, 1, 1], 'µs')],
    ['mcp-proxy', proxy],
    ['mcp-hub', hub],
    ['bare endpoint', timeFigure([0.5, 0.5, 0.5], 'µs')],
  ] as const
  expect(bestGateway(new Map(ways))).toBe(hub)
  expect(() => bestGateway(new Map(ways.slice(0, 1)))).toThrow('no gateway was measured')
})
