/** A verdict as text for people: the decision, then each criterion with its evidence and a suggestion. */
import type { Judgement, Verdict } from './critic/verdict.ts'

export function renderVerdict({ verdict, score, summary, judgements }: Verdict): string {
  const head = `${verdict} (${percent(score)})${summary === '' ? '' : `: ${summary}`}`
  return [head, ...judgements.map(judged)].join('\n')
}

function judged({ criterion, score, verdict, evidence, suggestion }: Judgement): string {
  const lines = [
    `  ${criterion}: ${verdict}${score === null ? '' : ` (${percent(score)})`}`,
    ...evidence.map((one) => `      ${one}`),
    ...(suggestion === null ? [] : [`      Better: ${suggestion}`]),
  ]
  return lines.join('\n')
}

const percent = (score: number): string => `${Math.round(score * 100)} %`
