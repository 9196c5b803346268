/**
 * Two critics on one output. A criterion that the rules know keeps their score and verdict, unmeasured ones included: a model
 * is not asked to agree with a count, and cannot talk it away. There it may add evidence and a suggestion; it judges the
 * criteria that the rules do not know.
 */

import { listInWords } from '../../english/words.ts'
import { criterionNamed } from '../critic/criteria/registry.ts'
import { decide, meanOf } from '../critic/critique.ts'
import { PARAMETER_TYPES } from '../critic/parameters.ts'
import type { CritiqueRequest, Judgement, Verdict } from '../critic/verdict.ts'
import type { Opinion } from './questions/critique.ts'

export const isRuleCriterion = ({ criterion }: Judgement): boolean => criterionNamed(criterion) !== undefined

export function mergeVerdicts(request: CritiqueRequest, measured: Verdict, opinion: Opinion, by: string): Verdict {
  const left = [...opinion.judgements]
  const judgements = measured.judgements.map((own) => {
    const index = left.findIndex(({ criterion }) => criterion === own.criterion)
    const [other] = index === -1 ? [] : left.splice(index, 1)
    return other === undefined ? own : merged(own, other, by)
  })
  const judged = judgements.filter((one) => !isRuleCriterion(one)).map(({ criterion }) => criterion)
  const who =
    judged.length === 0
      ? 'All of it was measured by rules.'
      : `${by} judged ${listInWords(judged)}; the rest was measured by rules.`
  return {
    // Nothing makes good what the rules have failed, an empty output above all.
    verdict: decide(judgements, measured.verdict === 'fail'),
    // Criteria and judgements have the same order.
    score: meanOf(judgements.map(({ score }, index) => ({ score, weight: weightOf(request.criteria[index]) }))),
    judgements,
    summary: `${by}: ${opinion.summary} ${who}`,
  }
}

function merged(own: Judgement, other: Judgement, by: string): Judgement {
  const said = other.evidence.map((text) => `${by}: ${text}`)
  if (!isRuleCriterion(own)) return { ...other, evidence: said }
  // What passed by measure needs no change, whatever a model would like.
  const suggestion = own.verdict === 'pass' ? null : (own.suggestion ?? other.suggestion)
  return { ...own, evidence: [...own.evidence, ...said], suggestion }
}

const weightOf = (criterion: CritiqueRequest['criteria'][number] | undefined): number =>
  PARAMETER_TYPES.weight.safeParse(typeof criterion === 'object' ? criterion.weight : undefined).data ?? 1
