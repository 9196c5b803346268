/**
 * Keyword coverage: the mean over the keywords of 1 (its words are together, in any form), 0.5 (all in one sentence, but
 * apart) or 0 (missing); a keyword used more often than max(3, 3 % of the words) counts for less, by allowed / used.
 */

import { stem } from '../../../english/stem.ts'
import { SCRIPT_WITHOUT_SPACES } from '../../../english/words.ts'
import { plural } from '../../../protocol/text.ts'
import { type CriterionRule, NO_TEXT, unmeasured, verdictFor } from '../criterion.ts'
import { firstFew, quoted, quotedList, roundedScore } from '../reading/quote.ts'
import type { OutputReading } from '../reading/reading.ts'
import { stemsOf } from '../reading/sentences.ts'
import { visibleText } from '../reading/visible-text.ts'

const MAX_DENSITY = 0.03
const ALWAYS_ALLOWED = 3
/** Used this many times more often than allowed, a text is made for a machine. */
const SPAM = 3
const ENOUGH = 0.8

interface Coverage {
  readonly keyword: string
  readonly uses: number
  readonly isScattered: boolean
  readonly allowed: number
}

export const keywordCoverage: CriterionRule = {
  name: 'keyword_coverage',
  measures: 'share of the keywords that the text has, in any form, without stuffing',
  parameters: { keywords: 'texts', min_share: 'share' },
  measure({ reading, parameters: given }) {
    const keywords = (given.keywords ?? []) as string[]
    if (keywords.length === 0) {
      return unmeasured('No keywords were given.', 'Give keywords: ["…"] with the criterion.')
    }
    if (reading.prose.length === 0) return NO_TEXT
    const covered = coverageOf(reading, [...new Set(keywords)])
    const missing = covered.filter(({ uses, isScattered }) => uses === 0 && !isScattered)
    const scattered = covered.filter(({ isScattered }) => isScattered)
    const stuffed = covered.filter(({ uses, allowed }) => uses > allowed)
    const score = roundedScore(covered.reduce((total, one) => total + pointsOf(one), 0) / covered.length)
    const isSpam = stuffed.some(({ uses, allowed }) => uses > SPAM * allowed)
    const enough = (given.min_share as number | undefined) ?? ENOUGH
    const reached = verdictFor(score, { pass: enough, revise: Math.min(0.5, enough) })
    const verdict = isSpam ? 'fail' : stuffed.length > 0 && reached === 'pass' ? 'revise' : reached
    return {
      score,
      verdict,
      evidence: [
        `${covered.length - missing.length - scattered.length} of ${plural(covered.length, 'keyword')} found.`,
        ...(missing.length > 0 ? [`Missing: ${names(missing)}.`] : []),
        ...(scattered.length > 0 ? [`Only in parts: ${names(scattered)}.`] : []),
        ...firstFew(
          stuffed.map(
            ({ keyword, uses, allowed }) => `${quoted(keyword, 40)} is used ${uses} times, ${allowed} are fine.`,
          ),
          4,
        ),
      ],
      suggestion: advice(missing, scattered, stuffed),
    }
  },
}

function pointsOf({ uses, isScattered, allowed }: Coverage): number {
  if (uses === 0) return isScattered ? 0.5 : 0
  return Math.min(1, allowed / uses)
}

function names(some: readonly Coverage[]): string {
  const keywords = some.map(({ keyword }) => keyword)
  return quotedList(keywords, 5, 40)
}

function advice(...kinds: readonly Coverage[][]): string {
  const says = ['Work in', 'Put together the words of', 'Use less often']
  return kinds.flatMap((kind, index) => (kind.length === 0 ? [] : [`${says[index]} ${names(kind)}.`])).join(' ')
}

function coverageOf({ prose }: OutputReading, keywords: readonly string[]): Coverage[] {
  const sentences = prose.flatMap(({ sentences }) => sentences.map(({ words }) => words.map(({ key }) => stem(key))))
  const total = sentences.reduce((sum, words) => sum + words.length, 0)
  const stemmed = sentences.map(spaced).join('\n')
  const stemSets = sentences.map((words) => new Set(words))
  return keywords.map((keyword) => {
    const stems = stemsOf(keyword)
    // Where no blanks part the words, a keyword is looked for as it is.
    const uses = SCRIPT_WITHOUT_SPACES.test(keyword)
      ? prose.reduce((sum, { text }) => sum + text.split(visibleText(keyword)).length - 1, 0)
      : usesIn(stemmed, spaced(stems))
    const allowed = Math.max(ALWAYS_ALLOWED, Math.floor((MAX_DENSITY * total) / Math.max(1, stems.length)))
    const isScattered = uses === 0 && stems.length > 1 && stemSets.some((words) => stems.every((one) => words.has(one)))
    return { keyword, uses, allowed, isScattered }
  })
}

/** With a blank on both sides of every word, so that only whole words are found. */
const spaced = (words: readonly string[]): string => ` ${words.join(' ')} `

/** Overlapping uses count too: the blank after one is the blank before the next. */
function usesIn(text: string, part: string): number {
  let uses = 0
  for (let index = text.indexOf(part); index !== -1; index = text.indexOf(part, index + 1)) uses += 1
  return uses
}
