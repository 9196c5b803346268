/**
 * A language model in front of the rules. Its answers must fit the same schemas and checks as any other; it may correct an answer
 * once. If it fails, the rules answer, and the notes say so.
 */

import { loadOptional } from '../../ledger/optional-packages.ts'
import { critiqueByRules } from '../critic/critique.ts'
import { planByRules } from '../planner/planner.ts'
import type { Brain, Thought } from './brain.ts'
import { mergeVerdicts } from './merge-verdicts.ts'
import { modelClient } from './model-client.ts'
import { openModel } from './provider.ts'
import { critiqueQuestion, type Opinion } from './questions/critique.ts'
import { planQuestion } from './questions/plan.ts'
import type { ModelQuestion } from './questions/question.ts'
import { reviseQuestion } from './questions/revise.ts'
import { writeQuestion } from './questions/write.ts'
import { reviseByRules } from './revise-by-rules.ts'
import type { BrainSettings } from './settings.ts'

/** Loads the AI SDK, so that a failure to load it is known before the first request. */
export async function modelBrain(settings: BrainSettings): Promise<Brain> {
  const { name, wire } = settings
  const packages = ['ai', wire === 'anthropic' ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible']
  const [sdk, model] = await loadOptional(`MYRMEX_BRAIN=${name}`, packages, async () =>
    Promise.all([import('ai'), openModel(settings)]),
  )
  const ask = modelClient(sdk, model, settings)

  /** The model's answer, or what the rules say instead. */
  async function think<A, T>(
    question: ModelQuestion<A>,
    signal: AbortSignal | undefined,
    rules: { readonly instead: () => T; readonly note: string },
    made: (answer: A) => T,
  ): Promise<Thought<T>> {
    const answer = await ask(question, signal)
    return answer.ok
      ? { value: made(answer.value), by: name, notes: answer.notes }
      : { value: rules.instead(), by: 'rules', notes: [...answer.notes, rules.note] }
  }

  return Object.freeze({
    name,
    async plan(request, signal) {
      signal?.throwIfAborted()
      const byRules = planByRules(request)
      const rules = { instead: () => byRules, note: 'The rules planned instead.' }
      return think(planQuestion(request, byRules), signal, rules, (plan) => plan)
    },
    async critique(request, signal) {
      const measured = critiqueByRules(request)
      const rules = { instead: () => measured, note: 'The rules judged alone.' }
      const merge = (opinion: Opinion) => mergeVerdicts(request, measured, opinion, name)
      return think(critiqueQuestion(request, measured), signal, rules, merge)
    },
    async revise(request, signal) {
      const rules = { instead: () => reviseByRules(request), note: 'The rules revised instead.' }
      return think(reviseQuestion(request), signal, rules, (args) => args)
    },
    async write(request, signal) {
      const rules = { instead: () => null, note: 'Nothing was written: the rules have no words of their own.' }
      return think<string, string | null>(writeQuestion(request), signal, rules, (text) => text)
    },
  } satisfies Brain)
}
