/** Asks a model for a text. It counts only when the computed critic finds it within policy, length and the facts given. */
import * as z from 'zod'
import { critiqueByRules } from '../../critic/critique.ts'
import type { Criterion } from '../../plan/plan.ts'
import type { WriteRequest } from '../brain.ts'
import { type ModelQuestion, questionKind } from './question.ts'

const ask = questionKind(
  'You write a text for a task.',
  [
    'Where facts are given, every number, name and claim in the text is one of them. Leave out what they do not say.',
    'Keep to the tone and the length that are asked for.',
    'Plain sentences: no superlatives, no promises, no urgency that the facts do not have.',
  ],
  z.strictObject({ text: z.string().trim().min(1) }),
)

export function writeQuestion(request: WriteRequest): ModelQuestion<string> {
  const { task, facts, tone, longest_words } = request
  return ask({ task, tone, longest_words, facts }, ({ text }) => {
    const problems = [...tooLong(text, request), ...faults(text, request)]
    return problems.length === 0 ? { ok: true, value: text } : { ok: false, problems }
  })
}

function tooLong(text: string, { longest_words }: WriteRequest): string[] {
  const words = text.split(/\s+/).length
  if (longest_words === undefined || words <= longest_words) return []
  return [`/text: it has ${words} words, and ${longest_words} are the most`]
}

/** Without facts there is nothing to be grounded in; policy holds for every text. */
function faults(text: string, { task, facts }: WriteRequest): string[] {
  const criteria: Criterion[] = facts === undefined ? ['policy'] : ['policy', 'grounding']
  const { judgements } = critiqueByRules({ task, output: text, criteria, facts })
  return judgements
    .filter(({ verdict }) => verdict !== 'pass')
    .map(
      ({ criterion, evidence, suggestion }) =>
        `/text: ${criterion}: ${[...evidence, suggestion ?? ''].join(' ').trim()}`,
    )
}
