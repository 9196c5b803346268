/**
 * Persuasiveness: the sum of seven named checks, each with its points and what it found (persuasiveness/checks.ts): reader
 * 0.15, benefit 0.2, specifics 0.2, action 0.15, proof 0.15, active voice 0.05, restraint 0.1. It counts means, not effect.
 */
import { type CriterionRule, NO_TEXT, unmeasured, verdictFor } from '../criterion.ts'
import { roundedScore } from '../reading/quote.ts'
import { CHECKS, copyParts } from './persuasiveness/checks.ts'

const PASS = { pass: 0.6, revise: 0.3 }

export const persuasiveness: CriterionRule = {
  name: 'persuasiveness',
  measures: 'reader, benefit, specifics, call to action, proof, active voice, restraint',
  parameters: {},
  measure({ reading, facts }) {
    if (reading.prose.length === 0) return NO_TEXT
    if (!reading.isEnglish) {
      return unmeasured(
        'The text does not look English, and the word lists of this criterion are.',
        'Have a reader of the language judge whether it persuades.',
      )
    }
    const pieces = copyParts(reading, facts)
    const results = CHECKS.map((check) => ({ check, ...check.look(pieces) }))
    const score = roundedScore(results.reduce((total, { check, share }) => total + check.points * share, 0))
    const advice = results
      .filter(({ share }) => share < 0.5)
      .sort((a, b) => b.check.points * (1 - b.share) - a.check.points * (1 - a.share))
      .map(({ check }) => check.advice)
    return {
      score,
      verdict: verdictFor(score, PASS),
      evidence: results.map(
        ({ check, share, says }) =>
          `${check.name} ${(check.points * share).toFixed(2)} of ${check.points.toFixed(2)}: ${says}`,
      ),
      suggestion: advice.slice(0, 3).join(' ') || 'Say more.',
    }
  },
}
