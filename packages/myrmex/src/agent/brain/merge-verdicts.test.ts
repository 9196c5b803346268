import { expect, test } from 'vitest'
import { critiqueByRules } from '../critic/critique.ts'
import type { CritiqueRequest, Judgement } from '../critic/verdict.ts'
import { mergeVerdicts } from './merge-verdicts.ts'
import { critiqueQuestion } from './questions/critique.ts'

const BY = 'openai:m'
const says = (criterion: string, score: number | null, verdict: Judgement['verdict'] = 'pass'): Judgement => ({
  criterion,
  score,
  verdict,
  evidence: ['so I find'],
  suggestion: 'Do it otherwise.',
})
const judged = (request: CritiqueRequest, ...judgements: Judgement[]) =>
  mergeVerdicts(request, critiqueByRules(request), { judgements, summary: 'Well.' }, BY)

const TEXT = 'The coffee is roasted by hand. It comes from Ethiopia. It costs 12 euros.'
const about = (output: unknown, ...criteria: CritiqueRequest['criteria']): CritiqueRequest => ({
  task: 'Describe the coffee.',
  output,
  criteria,
})

test('a criterion that the rules know but could not measure stays unknown, whatever a model says', () => {
  const { verdict, judgements } = judged(about(TEXT, 'keyword_coverage'), says('keyword_coverage', 1))
  expect(judgements[0]).toMatchObject({ score: null, verdict: 'unknown' })
  expect(judgements[0]?.evidence.at(-1)).toBe(`${BY}: so I find`)
  expect(verdict).toBe('revise')
})

test('an empty output fails, even where only criteria of the model were asked for', () => {
  expect(judged(about('', 'wit'), says('wit', 1)).verdict).toBe('fail')
})

test('the score goes by the weights of the criteria', () => {
  const request = about(TEXT, { name: 'wit', weight: 3 }, { name: 'length', min_words: 1, weight: 1 })
  const { score, verdict, summary } = judged(request, says('length', 0, 'fail'), says('wit', 0.2, 'revise'))
  expect(score).toBe(0.4)
  expect(verdict).toBe('revise')
  expect(summary).toBe(`${BY}: Well. ${BY} judged wit; the rest was measured by rules.`)
  expect(judged(about(TEXT, { name: 'wit', weight: 0 }), says('wit', 0.5)).score).toBe(0.5)
})

test('with everything passed it passes, and the model need not have spoken of what was measured', () => {
  const request = about(TEXT, 'wit', { name: 'length', min_words: 1 })
  const { verdict, score, judgements } = judged(request, says('wit', 1))
  expect([verdict, score]).toEqual(['pass', 1])
  expect(judgements[1]).toEqual(critiqueByRules(request).judgements[1])
})

test('criteria are shown to a model under the names that the rules use', () => {
  const request = about(TEXT, { name: 'Keyword Coverage', keywords: ['coffee'] }, 'Wit')
  const { data } = critiqueQuestion(request, critiqueByRules(request))
  const shown = JSON.parse(/<data name="criteria">\n(.*)\n/.exec(data)?.[1] ?? '')
  expect(shown).toEqual([{ name: 'keyword_coverage', keywords: ['coffee'] }, 'Wit'])
})
