/** Asks a model to judge an output, beside what the rules have measured of it. */
import * as z from 'zod'
import { type CritiqueRequest, JudgementSchema, type Verdict } from '../../critic/verdict.ts'
import { isRuleCriterion } from '../merge-verdicts.ts'
import { type ModelQuestion, questionKind, type ReadResult } from './question.ts'

const Opinion = z.strictObject({ judgements: z.array(JudgementSchema), summary: z.string() })
export type Opinion = z.infer<typeof Opinion>

const ask = questionKind(
  'You judge whether an output does what its task asks, by named criteria.',
  [
    'One judgement for each criterion, in the order given, under its exact name.',
    '`score` is between 0 and 1. `verdict` is pass, revise (can be corrected) or fail; or unknown, with score null, where nobody ' +
      'could judge it from what is given.',
    '`evidence` quotes or counts what is really in the output. Where facts are given, only they are true.',
    '`suggestion` says in one sentence what to change, or is null where nothing must change.',
    'Criteria under `measured` were measured already and their scores are final: add evidence and suggestions that help. ' +
      'Judge the others yourself.',
    '`summary` is one or two plain sentences.',
  ],
  Opinion,
)

export function critiqueQuestion(request: CritiqueRequest, measured: Verdict): ModelQuestion<Opinion> {
  const { task, output, criteria, facts } = request
  // Under the names that the rules use, so that what comes back can be laid beside what they found.
  const named = measured.judgements.map(({ criterion }, index) => {
    const given = criteria[index]
    return typeof given === 'object' ? { ...given, name: criterion } : criterion
  })
  const values = { task, criteria: named, facts, measured: measured.judgements.filter(isRuleCriterion), output }
  const question = ask(values, (opinion) => readOpinion(opinion, measured))
  // A model that answers with a whole verdict has said more than it was asked; the rest is computed.
  return { ...question, read: ({ verdict: _verdict, score: _score, ...rest }) => question.read(rest) }
}

function readOpinion(opinion: Opinion, measured: Verdict): ReadResult<Opinion> {
  const judged = new Set(opinion.judgements.map(({ criterion }) => criterion))
  const missing = measured.judgements.filter((one) => !isRuleCriterion(one) && !judged.has(one.criterion))
  if (missing.length === 0) return { ok: true, value: opinion }
  const names = missing.map(({ criterion }) => JSON.stringify(criterion)).join(', ')
  return { ok: false, problems: [`/judgements: there is none for ${names}`] }
}
