/** Questions to a model besides plans: to judge, to revise and to write. Each in both API formats, over real sockets. */

import { MODEL_APIS, ModelServer, type Reply } from '@myrmex/testing/brain/model-server'
import { GOOD_PLAN, planRequest, reviseRequest, TOOLS, WRITE_COPY } from '@myrmex/testing/brain/sample-requests'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Brain } from '../../packages/myrmex/src/agent/brain/brain.ts'
import { brainFrom } from '../../packages/myrmex/src/agent/brain/choose.ts'
import { reviseByRules } from '../../packages/myrmex/src/agent/brain/revise-by-rules.ts'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'
import { critiqueByRules } from '../../packages/myrmex/src/agent/critic/critique.ts'
import type { Judgement } from '../../packages/myrmex/src/agent/critic/verdict.ts'

const says = (value: unknown): Reply => ({ say: JSON.stringify(value) })
const judgement = (criterion: string, more: Partial<Judgement> = {}): Judgement => ({
  criterion,
  score: 1,
  verdict: 'pass',
  evidence: [`${criterion} is lovely`],
  suggestion: null,
  ...more,
})

describe.each(MODEL_APIS)('on the %s wire', (wire) => {
  let server: ModelServer
  let brain: Brain
  beforeAll(async () => {
    server = await ModelServer.start(wire)
    brain = await brainFrom(server.env)
  })
  afterAll(() => server.close())
  const lastData = (): string => server.seen.at(-1)?.messages[0]?.text ?? ''

  describe('judging', () => {
    const request = {
      task: 'Describe the coffee in five words at most.',
      output: 'This coffee is roasted in small batches, every single week, by hand, and it costs 12 euros.',
      criteria: [{ name: 'length', max_words: 5 }, 'wit', 'clarity'],
    }
    const opinion = {
      judgements: [
        judgement('length', { suggestion: 'Leave out the weeks.' }),
        judgement('wit', { score: 0.2, verdict: 'fail', suggestion: 'Add a pun.' }),
        judgement('clarity', { score: 0, verdict: 'fail', suggestion: 'Write it again.' }),
      ],
      summary: 'Short it is not.',
    }

    test('what was measured keeps its score; what the rules do not know is judged by the model', async () => {
      server.script(says(opinion))
      const measured = critiqueByRules(request)
      const { value, by, notes } = await brain.critique(request)
      expect(by).toBe(brain.name)
      expect(notes).toEqual([`${brain.name} used 120 tokens in and 34 out.`])
      const [length, wit, clarity] = value.judgements
      expect(measured.judgements.map(({ verdict }) => verdict)).toEqual(['fail', 'unknown', 'pass'])
      expect(length).toMatchObject({ score: measured.judgements[0]?.score, verdict: 'fail' })
      expect(length?.evidence.at(-1)).toBe(`${brain.name}: length is lovely`)
      expect(clarity).toMatchObject({ score: measured.judgements[2]?.score, verdict: 'pass', suggestion: null })
      expect(wit).toMatchObject({ score: 0.2, verdict: 'fail', suggestion: 'Add a pun.' })
      expect(value.verdict).toBe('fail')
      expect(value.score).toBeGreaterThan(0)
      expect(value.score).toBeLessThan(measured.score)
      expect(value.summary).toContain('Short it is not.')
      expect(lastData()).toContain('<data name="measured">')
    })

    test('a whole verdict is read too, and its own total is not believed', async () => {
      server.script(says({ ...opinion, verdict: 'pass', score: 1 }))
      expect((await brain.critique(request)).value.verdict).toBe('fail')
    })

    test('an unknown criterion that it leaves out is asked for again', async () => {
      server.script(says({ ...opinion, judgements: [] }), says(opinion))
      expect((await brain.critique(request)).by).toBe(brain.name)
      expect(server.seen[1]?.messages.at(-1)?.text).toContain('wit')
    })

    test('judgements that fit no schema, twice: the rules judge alone', async () => {
      const wrong = says({ judgements: [judgement('wit', { score: 7 })], summary: '' })
      server.script(wrong, wrong)
      const { value, by, notes } = await brain.critique(request)
      expect(value).toEqual(critiqueByRules(request))
      expect(by).toBe('rules')
      expect(notes.join(' ')).toMatch(/\/judgements\/0\/score: .*The rules judged alone\./)
    })
  })

  describe('revising', () => {
    test('the changes are put into the arguments, and secrets never leave', async () => {
      server.script(says({ changes: { max_words: 40, keywords: ['coffee'] } }))
      const { value, by } = await brain.revise(reviseRequest())
      expect(value).toEqual({ ...reviseRequest().arguments, max_words: 40, keywords: ['coffee'] })
      expect(by).toBe(brain.name)
      expect(JSON.stringify(server.seen)).not.toContain('tok-8c1f-secret')
      expect(lastData()).toContain('"access_token":"[secret]"')
    })

    test.each([
      ['nothing to change', { changes: null }],
      ['the same again', { changes: { product_name: 'Kaffa', access_token: '[secret]' } }],
    ])('%s is null, and by the model', async (_what, answer) => {
      server.script(says(answer))
      expect(await brain.revise(reviseRequest())).toMatchObject({ value: null, by: brain.name })
    })

    test.each([
      ['do not fit the tool', { max_words: 9000 }, /max_words/],
      ['the tool does not know', { colour: 'red' }, /colour: is not a known property; known are product_name/],
      ['touch a secret', { access_token: 'another' }, /a secret cannot be changed/],
    ])('changes that %s, twice: the rules revise', async (_what, changes, problem) => {
      server.script(says({ changes }), says({ changes }))
      const { value, by, notes } = await brain.revise(reviseRequest())
      expect(value).toEqual(reviseByRules(reviseRequest()))
      expect(value).not.toBeNull()
      expect(by).toBe('rules')
      expect(notes[0]).toMatch(problem)
      expect(notes.at(-1)).toBe('The rules revised instead.')
    })
  })

  describe('writing', () => {
    const facts = { name: 'Kaffa', origin: 'Ethiopia', price: 12 }
    const task = 'Say in one sentence what Kaffa is.'

    test('a text that keeps to the facts is taken', async () => {
      server.script(says({ text: 'Kaffa is a coffee from Ethiopia for 12.' }))
      const { value, by } = await brain.write({ task, facts, tone: 'plain', longest_words: 20 })
      expect(value).toBe('Kaffa is a coffee from Ethiopia for 12.')
      expect(by).toBe(brain.name)
      expect(lastData()).toContain('<data name="tone">\n"plain"\n</data>')
    })

    test.each([
      ['claims what the facts do not say', 'Kaffa costs 99 and won 3 awards in Paris.', /grounding/],
      ['is too long', `Kaffa ${'is coffee '.repeat(20)}`, /41 words, and 20 are the most/],
      ['is empty', ' ', /\/text/],
    ])('a text that %s, twice, is not used', async (_what, text, problem) => {
      server.script(says({ text }), says({ text }))
      const { value, by, notes } = await brain.write({ task, facts, longest_words: 20 })
      expect(value).toBeNull()
      expect(by).toBe('rules')
      expect(notes[0]).toMatch(problem)
      expect(notes.at(-1)).toBe('Nothing was written: the rules have no words of their own.')
    })

    test('policy holds for a text without facts too', async () => {
      server.script(says({ text: 'BUY THIS COFFEE RIGHT NOW!!!' }), says({ text: 'This is coffee.' }))
      const { value, notes } = await brain.write({ task })
      expect(value).toBe('This is coffee.')
      expect(notes[0]).toMatch(/policy/)
    })

    test('a text that is corrected on request is accepted', async () => {
      server.script(says({ text: 'Kaffa costs 99.' }), says({ text: 'Kaffa costs 12.' }))
      expect((await brain.write({ task, facts })).value).toBe('Kaffa costs 12.')
      expect(server.seen[1]?.messages.at(-1)?.text).toContain('99')
    })
  })

  test('a secret that does not fit its tool is quoted to nobody', async () => {
    const token = 'tok-66-very-secret'
    const strict = { ...WRITE_COPY, input: { ...WRITE_COPY.input } }
    strict.input.properties = {
      product_name: { type: 'string' },
      access_token: { type: 'string', enum: ['none'], 'x-secret': true },
    }
    const args = { product_name: 'Kaffa', access_token: '[secret]' }
    const steps = [{ ...GOOD_PLAN.steps[0], agent: 'marketing', tool: strict.name, arguments: args }]
    server.script(says({ ...GOOD_PLAN, steps }), says({ ...GOOD_PLAN, steps }))
    const { by, notes } = await brain.plan({
      goal: 'Sell',
      context: { known: { access_token: token } },
      tools: [strict],
    })
    expect(by).toBe('rules')
    expect(notes[0]).toMatch(/access_token/)
    expect(JSON.stringify([notes, server.seen])).not.toContain(token)
  })

  test('a known secret is not shown to a model that plans, and is put back only where it belongs', async () => {
    const token = 'tok-55-very-secret'
    const base = planRequest()
    const request = { ...base, context: { known: { ...base.context.known, access_token: token } } }
    const copy = (args: object) => ({
      ...GOOD_PLAN,
      steps: [{ ...GOOD_PLAN.steps[0], id: 'copy', agent: 'marketing', tool: WRITE_COPY.name, arguments: args }],
    })
    server.script(
      says(copy({ product_name: '[secret]' })),
      says(copy({ product_name: 'Kaffa', access_token: '[secret]' })),
    )
    const { value, by } = await brain.plan({ ...request, tools: TOOLS })
    expect(by).toBe(brain.name)
    expect(value.steps[0]?.arguments).toEqual({ product_name: 'Kaffa', access_token: token })
    expect(JSON.stringify(server.seen)).not.toContain(token)
    expect(server.seen[1]?.messages.at(-1)?.text).toContain('may only stand for a known secret of that name')
  })
})

test('the rules think without a model, have no words of their own, and can be aborted', async () => {
  const request = { task: 'Describe it.', output: 'A text.', criteria: ['clarity'] }
  expect(await rulesBrain.critique(request)).toEqual({ value: critiqueByRules(request), by: 'rules', notes: [] })
  expect(await rulesBrain.write({ task: 'Describe it.' })).toEqual({ value: null, by: 'rules', notes: [] })
  expect((await rulesBrain.revise(reviseRequest())).value).toEqual(reviseByRules(reviseRequest()))
  await expect(rulesBrain.plan(planRequest(), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
