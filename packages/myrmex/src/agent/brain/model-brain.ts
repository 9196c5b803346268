/**
 * A language model in front of the rules. Its answers are read against the schemas that everybody's are, and it is told
 * once what is wrong with them. Where it fails all the same the rules answer, and the notes say so, a sentence each.
 */
import { critiqueByRules } from '../critic/critique.ts'
import { planByRules } from '../planner/planner.ts'
import type { Brain, Thought } from './brain.ts'
import { mergeVerdicts } from './merge-verdicts.ts'
import { type ModelAnswer, ModelClient } from './model-client.ts'
import { openModel } from './provider.ts'
import { critiqueQuestion } from './questions/critique.ts'
import { planQuestion } from './questions/plan.ts'
import { reviseQuestion } from './questions/revise.ts'
import { writeQuestion } from './questions/write.ts'
import { reviseByRules } from './revise-by-rules.ts'
import type { BrainSettings } from './settings.ts'

/** Loads the AI SDK; what is wrong with that is known before anything is thought. */
export async function modelBrain(settings: BrainSettings): Promise<Brain> {
  const { name } = settings
  const mind = new ModelClient(await import('ai'), await openModel(settings), settings)

  const thought = <A, T>(answer: ModelAnswer<A>, made: (value: A) => T, instead: () => T, say: string): Thought<T> =>
    answer.ok
      ? { value: made(answer.value), by: name, notes: answer.notes }
      : { value: instead(), by: 'rules', notes: [...answer.notes, say] }

  return Object.freeze({
    name,
    async plan(request, signal) {
      signal?.throwIfAborted()
      const byRules = planByRules(request)
      const answer = await mind.ask(planQuestion(request, byRules), signal)
      return thought(
        answer,
        (plan) => plan,
        () => byRules,
        'The rules planned instead.',
      )
    },
    async critique(request, signal) {
      const measured = critiqueByRules(request)
      const answer = await mind.ask(critiqueQuestion(request, measured), signal)
      const say = 'The rules judged alone.'
      return thought(
        answer,
        (opinion) => mergeVerdicts(request, measured, opinion, name),
        () => measured,
        say,
      )
    },
    async revise(request, signal) {
      const answer = await mind.ask(reviseQuestion(request), signal)
      return thought(
        answer,
        (args) => args,
        () => reviseByRules(request),
        'The rules revised instead.',
      )
    },
    async write(request, signal) {
      const answer = await mind.ask(writeQuestion(request), signal)
      const say = 'Nothing was written: the rules have no words of their own.'
      return thought<string, string | null>(
        answer,
        (text) => text,
        () => null,
        say,
      )
    },
  } satisfies Brain)
}
