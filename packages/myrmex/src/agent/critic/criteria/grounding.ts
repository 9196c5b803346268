/**
 * Grounding: of all different figures, dates, names and claim words in the text, the share that the facts have. Anything
 * ungrounded asks for revision; less than half grounded, or a claim that the facts deny, fails. Without facts it is unknown.
 */
import { plural } from '../../../protocol/text.ts'
import { type CriterionRule, type Measurement, NO_TEXT, unmeasured } from '../criterion.ts'
import { isEmpty } from '../reading/passages.ts'
import { firstFew, quoted, quotedList, roundedScore, withPointer } from '../reading/quote.ts'
import { type GroundingItem, groundingItems } from './grounding/items.ts'

export const grounding: CriterionRule = {
  name: 'grounding',
  measures: 'figures, dates, names and claims that the facts have',
  parameters: {},
  measure(job) {
    if (isEmpty(job.facts)) {
      return unmeasured(
        'No facts were given, so nothing can be checked against them.',
        'Give the data that it must keep to as facts.',
      )
    }
    return job.reading.texts.length === 0 ? NO_TEXT : measured(groundingItems(job))
  },
}

function measured(items: readonly GroundingItem[]): Measurement {
  if (items.length === 0) {
    return {
      score: 1,
      verdict: 'pass',
      evidence: ['It has no figure, date, name or claim to check.'],
      suggestion: null,
    }
  }
  const loose = items.filter(({ problem }) => problem !== undefined)
  const score = roundedScore((items.length - loose.length) / items.length)
  const fails = score < 0.5 || loose.some(({ isContradicted }) => isContradicted)
  const all = plural(items.length, 'figure, date, name or claim', 'figures, dates, names and claims')
  return {
    // Rounding must not make a loose end disappear.
    score: loose.length > 0 ? Math.min(score, 0.999) : score,
    verdict: loose.length === 0 ? 'pass' : fails ? 'fail' : 'revise',
    evidence: [
      `${items.length - loose.length} of ${all} found in the facts.`,
      ...firstFew(
        loose.map(({ kind, text, where, problem }) => withPointer(where, `${kind} ${quoted(text, 60)} ${problem}.`)),
      ),
    ],
    suggestion: advice(loose),
  }
}

function advice(loose: readonly GroundingItem[]): string {
  const texts = loose.map(({ text }) => text)
  const whose = loose.length === 1 ? 'its' : 'their'
  return `Take out ${quotedList(texts, 5, 40)}, or put what the facts say in ${whose} place.`
}
