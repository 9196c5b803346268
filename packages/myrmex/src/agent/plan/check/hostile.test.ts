/** Plans as a model in a bad mood, or a stranger, may send them: each is answered, soon, and with no more than can be read. */

import { find, from, negotiate, plan, step, TOOLS, view } from '@myrmex/testing/agent/coffee-tools'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { describe, expect, test } from 'vitest'
import { checkPlan, type Problem } from '../check.ts'
import { MAX_PROBLEMS } from './problem.ts'

const problemsOf = (given: unknown, tools = TOOLS): Problem[] => {
  const checked = withTimeLimit(4000, () => checkPlan(given, tools))
  return checked.ok ? [] : checked.problems
}
const codes = (given: unknown, tools = TOOLS): string[] => [
  ...new Set(problemsOf(given, tools).map(({ code }) => code)),
]
const ids = Array.from({ length: 10_000 }, (_, index) => `s${index}`)

describe('the checker answers', () => {
  test('ten thousand steps with a wrong tool, of which it names a hundred', () => {
    const problems = problemsOf(plan(ids.map((id) => step(id, `supplier.find_${id}`, {}))))
    expect(problems).toHaveLength(MAX_PROBLEMS + 1)
    expect(problems.at(-1)).toEqual({ code: 'more', path: '', message: 'and 9900 more' })
    expect(JSON.stringify(problems).length).toBeLessThan(50_000)
  })

  test('ten thousand steps in one circle, of which it shows a part', () => {
    const circle = ids.map((id, index) => ({ ...find, id, needs: [ids[(index + 1) % ids.length] as string] }))
    const [problem, ...others] = problemsOf(plan(circle))
    expect(others).toEqual([])
    expect(problem?.message).toMatch(/^each of these needs the next.*s0 -> s1 -> .* -> \(9988 more\) -> s0$/)
  })

  test('ten thousand steps, each of which needs the twenty before it', () => {
    expect(
      codes(plan(ids.map((id, index) => ({ ...find, id, needs: ids.slice(Math.max(0, index - 20), index) })))),
    ).toEqual([])
  })

  test('more steps than it looks at', () => {
    expect(codes(plan([...ids, 'one'].map((id) => ({ ...find, id }))))).toEqual(['too-large'])
  })

  test('ten thousand references to steps that are not there', () => {
    const missing = ids.map((id) => step(id, 'shop.open', { name: from('/url', `x${id}`) }))
    expect(codes(plan(missing))).toEqual(['unknown-step', 'more'])
  })

  test('arguments nested a hundred thousand deep, or in themselves', () => {
    let deep: unknown = 'bottom'
    for (let depth = 0; depth < 100_000; depth++) deep = { deep }
    expect(codes(plan([{ ...find, arguments: { product: deep } }]))).toEqual(['too-large'])
    const self: Record<string, unknown> = {}
    self.self = self
    expect(codes(plan([{ ...find, arguments: self }]))).toEqual(['too-large'])
  })

  test('more values than anybody reads', () => {
    expect(codes(plan([{ ...find, arguments: { product: new Array(600_000).fill(0) } }]))).toEqual(['too-large'])
  })

  test('texts of megabytes, of which it shows a few characters', () => {
    const huge = 'x'.repeat(5_000_000)
    const bad = [
      step('s1', huge, {}),
      { ...find, id: 's2', agent: huge },
      step('s3', 'supplier.find_suppliers', { product: 'x', min_rating: huge }),
      step('s4', 'supplier.find_suppliers', { product: 'x', [huge]: 1 }),
      step('s5', 'shop.open', { name: from(`/${huge}`, 's2') }),
      step('s6', 'shop.open', { name: from('', huge) }),
      step('s7', 'shop.open', { name: { $from: huge, path: huge } }),
    ]
    const problems = problemsOf(plan(bad))
    expect(problems.length).toBeGreaterThan(5)
    for (const { message } of problems) expect(message.length).toBeLessThan(500)
  })

  test('patterns that a text could make slow', () => {
    const slow = view(
      'a.slow',
      {
        type: 'object',
        properties: { x: { type: 'string', pattern: '^(a+)+$' } },
        patternProperties: { '^(b+)+$': {} },
      },
      undefined,
    )
    expect(codes(plan([step('s1', 'a.slow', { x: `${'a'.repeat(60)}!`, [`${'b'.repeat(60)}!`]: 1 })]), [slow])).toEqual(
      ['bad-argument'],
    )
    expect(codes(plan([step('s1', 'a.slow', { x: 'aab' })]), [slow])).toEqual(['bad-argument'])
  })

  test('schemas that refer to themselves, and choices that multiply', () => {
    const choices = Array.from({ length: 12 }, (_, index) => ({
      anyOf: Array.from({ length: 12 }, (_, choice) => ({ properties: { [`p${index}`]: { const: choice } } })),
    }))
    const loop = view(
      'a.loop',
      {
        type: 'object',
        properties: { x: { $ref: '#/$defs/a' } },
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } },
      },
      { type: 'object', properties: { y: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } }, required: ['y'] },
    )
    const many = view('a.many', { type: 'object', allOf: choices }, { type: 'object', allOf: choices })
    const steps = [
      step('s1', 'a.loop', { x: { x: 1 } }),
      step('s2', 'a.loop', { x: from('/y'.repeat(400)) }, ['s1']),
      step('s3', 'a.many', { p1: 3, p2: from('/p1', 's4') }, ['s4']),
      step('s4', 'a.many', {}),
    ]
    expect(codes(plan(steps), [loop, many])).toEqual([])
  })

  test('ten thousand steps whose arguments take long to judge, and lists of nothing but faults', () => {
    const choice = { anyOf: [{ $ref: '#/$defs/deep' }, { $ref: '#/$defs/deep' }, { $ref: '#/$defs/deep' }] }
    const input = {
      type: 'object',
      properties: { x: choice },
      $defs: { deep: { properties: { x: choice, y: { type: 'null' } } } },
    }
    const deep = { x: { x: { x: { x: { x: { x: { x: { x: { x: { y: 1 } } } } } } } } } }
    expect(codes(plan(ids.map((id) => step(id, 'a.deep', deep))), [view('a.deep', input, undefined)])).toEqual([])
    const wrong = step('s1', 'a.list', { x: new Array(100_000).fill(1) })
    const list = view(
      'a.list',
      { type: 'object', properties: { x: { type: 'array', items: { type: 'string' } } } },
      undefined,
    )
    expect(codes(plan([wrong]), [list])).toEqual(['bad-argument'])
  })

  test('what throws when it is looked at', () => {
    const trap = {
      get goal(): string {
        throw new Error('a trap')
      },
    }
    expect(problemsOf(trap)).toEqual([{ code: 'unreadable', path: '', message: 'the plan cannot be read: a trap' }])
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw 'boom'
        },
      },
    )
    expect(codes({ steps: proxy })).toEqual(['unreadable'])
  })

  test('tools whose schemas are nonsense', () => {
    const odd = view(
      'a.odd',
      { type: 'object', properties: 7, required: 'x', anyOf: 'no', $ref: 3 } as never,
      { type: 'object', allOf: [4, null], properties: { y: 'text', z: null } } as never,
    )
    const steps = [step('s1', 'a.odd', { x: 1 }), step('s2', 'a.odd', { x: from('/y') }, ['s1']), negotiate(from('/z'))]
    expect(() => problemsOf(plan(steps.slice(0, 2)), [odd])).not.toThrow()
  })
})
