/** Values that are given with a goal: each is used, answers a question, or is reported with the name that was meant. */
import { planOf, step } from '@myrmex/testing/fleet/local-fleet'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import type { Plan } from '../plan/plan.ts'
import {
  knownFaults,
  knownProblems,
  namesUsedIn,
  recordReads,
  unknownNameText,
  unusedText,
  withAssumptions,
} from './known-values.ts'

const view = (name: string, properties: JsonObject): ToolView => ({
  agent: name.split('.')[0] as string,
  name,
  version: '1.0.0',
  hash: '',
  description: 'A tool.',
  input: { type: 'object', properties },
  output: undefined,
  destructive: true,
  idempotent: false,
  undo: false,
})
const ship = view('post.ship', {
  address: { type: 'string' },
  pieces: { type: 'integer' },
  pin: { type: 'string', 'x-secret': true, minLength: 4 },
  to: { type: 'object', properties: { postcode: { type: 'string', type_id: 'postcode' } } },
})
const rate = view('shop.rate', { stars: { type: 'number' } })
const TOOLS = [ship, rate]
const asking = (...inputs: string[]): Plan => ({
  ...planOf(step('s1', 'post.ship', { pieces: 3 })),
  questions: inputs.map((input) => ({ input, question: `What is ${input}?`, tool: 'post.ship' })),
})
const textOf = (known: JsonObject, plan: Plan = asking()): string => {
  const { unused, unfit } = knownFaults(known, plan, TOOLS)
  return [...unused.map((one) => unknownNameText(one)), ...unfit].join(' ')
}

describe('a name', () => {
  test('that the plan does not know is reported with the nearest name and with what it asks for', () => {
    expect(textOf({ adress: 'Hill 1' }, asking('address', 'budget'))).toBe(
      'Unknown --with name "adress". Did you mean address? This plan asks for: address, budget.',
    )
  })

  test('without a near one is reported with what the plan takes', () => {
    expect(textOf({ colour: 'red' })).toBe(
      'Unknown --with name "colour". This plan takes: address, pieces, pin, to, postcode.',
    )
  })

  test.each([['address'], ['Address'], ['addresses'], ['postcode'], ['to']])('of a field is accepted: %s', (name) => {
    expect(textOf({ [name]: name === 'to' ? { postcode: '1' } : 'x' })).toBe('')
  })

  test('of a field of a tool that no step uses is unknown, unless there are no steps yet', () => {
    expect(textOf({ stars: 3 })).toContain('Unknown --with name "stars"')
    expect(textOf({ stars: 3 }, planOf())).toBe('')
    expect(textOf({ stairs: 3 }, planOf())).toContain('Did you mean stars?')
  })

  test('that a question has is accepted, though no tool has such a field', () => {
    expect(textOf({ mood: 'gay' }, asking('mood'))).toBe('')
  })

  test('is accepted if its value is in the plan under another one', () => {
    const plan = planOf(step('s1', 'post.ship', { address: 'To Ada, Hill 1' }))
    expect(textOf({ customer: 'Ada' }, plan)).toBe('')
    expect(textOf({ customer: 'Eve' }, plan)).toContain('Unknown --with name "customer"')
    expect(textOf({ customer: 'Hil' }, plan)).toContain('Unknown --with name "customer"')
  })

  test('that the author of the plan looked up is accepted, and another one is not', () => {
    const { context, read } = recordReads({ known: { products: 3, platfrom: 'x' } })
    expect(context.known?.products).toBe(3)
    // Looked up, and not given.
    expect((context.known as JsonObject).platform).toBeUndefined()
    const { unused } = knownFaults({ products: 3, platfrom: 'x' }, planOf(step('s', 'post.ship')), TOOLS, { read })
    expect(unused.map(unusedText)).toEqual([expect.stringMatching(/^Not used: platfrom\. Did you mean platform\?/)])
  })

  test.each([['__proto__'], ['constructor'], ['']])('%j is a name like any other', (name) => {
    expect(textOf(Object.fromEntries([[name, 1]]))).toContain(`Unknown --with name ${JSON.stringify(name)}.`)
  })

  test('that an agent did not use is not used by its plan', () => {
    const plan = withAssumptions(asking(), ['Not used: colour. This plan takes no values.'])
    expect([...namesUsedIn(plan, { colour: 'red', mood: 'gay' })]).toEqual(['mood'])
  })
})

describe('while a plan has open questions', () => {
  const problemsOf = (known: JsonObject, plan: Plan): string[] =>
    knownProblems(knownFaults(known, plan, TOOLS)).map(({ message }) => message)
  const open = asking('address')

  test('a name that another tool takes is no error, and is reported as not used', () => {
    const faults = knownFaults({ stars: 3 }, open, TOOLS)
    expect(knownProblems(faults)).toEqual([])
    expect(faults.elsewhere.map(unusedText)).toEqual([
      'Not used: stars. It is an input of shop.rate, which this plan does not call.',
    ])
  })

  test('the nearest name may be that of another tool', () => {
    expect(problemsOf({ satrs: 3 }, open)).toEqual([
      'Unknown --with name "satrs". Did you mean stars? It is an input of shop.rate.',
    ])
  })

  test('a value must fit an input of another tool, too', () => {
    expect(problemsOf({ stars: 'many' }, open)).toEqual([
      'stars does not fit stars of shop.rate: it must be number, and is "many".',
    ])
  })

  test('near names and values that do not fit are reported before names that nothing takes', () => {
    expect(problemsOf({ colour: 'red', stars: 'many', adress: 'Hill 1' }, open)).toEqual([
      expect.stringContaining('Did you mean address?'),
      expect.stringContaining('stars does not fit'),
      'Unknown --with name "colour". This plan asks for: address.',
    ])
  })

  test('a question for the budget leads to no other plan, and neither do those of a plan that was given', () => {
    const budget = { ...asking(), questions: [{ input: 'budget', question: 'How much?' }] }
    expect(problemsOf({ stars: 3 }, budget)).toEqual([expect.stringContaining('Unknown --with name "stars"')])
    expect(knownFaults({ stars: 3 }, open, TOOLS, { isFinal: true })).toMatchObject({
      unused: [{ name: 'stars' }],
      elsewhere: [],
    })
  })
})

describe('a value', () => {
  test('of the wrong type is reported with the field and what it must be', () => {
    expect(textOf({ pieces: 'many' })).toMatch(/^pieces does not fit pieces of post\.ship: it .*, and is "many"\.$/)
  })

  test('that can be converted fits: the text of a number, and the number for a text', () => {
    expect(textOf({ pieces: '3', address: 42 })).toBe('')
  })

  test('that is secret is not repeated', () => {
    const text = textOf({ pin: 'abc' })
    expect(text).toMatch(/^pin does not fit pin of post\.ship/)
    expect(text).not.toContain('abc')
  })

  test('called budget is an amount or limits', () => {
    expect(textOf({ budget: 5000 })).toBe('')
    expect(textOf({ budget: '5,000 EUR' })).toBe('')
    expect(textOf({ budget: 'low' })).toBe(
      'budget must be an amount of money, or limits of money, calls and time, and is "low".',
    )
  })
})

test('many unknown names take no long time, and the first ones are reported', () => {
  const known = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name_${n}`, `value ${n}`]))
  const { unused } = withTimeLimit(1000, () => knownFaults(known, asking('address'), TOOLS))
  expect(unused.length).toBe(21)
  expect(unused.at(-1)?.name).toBe('19980 more')
})
