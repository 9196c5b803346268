/**
 * Clarity: 0.4 reading ease (LIX, which needs no syllables and so holds for many languages: full to 40, none from 60) + 0.3
 * sentence length (full to 20 words, none from 40, weighted by words) + 0.2 directness (fillers, hedges and roundabout
 * phrases: full to 2 % of words, none from 10 %) + 0.1 active voice (passive sentences: full to 10 %, none from 60 %).
 */
import { plural } from '../../../protocol/text.ts'
import { type CriterionRule, linearScore, type Measurement, NO_TEXT, unmeasured, verdictFor } from '../criterion.ts'
import { isPassive } from '../reading/english.ts'
import { phraseFinder } from '../reading/phrases.ts'
import { firstFew, quoted, quotedList, roundedScore, withPointer } from '../reading/quote.ts'
import type { OutputReading } from '../reading/reading.ts'
import type { Sentence } from '../reading/sentences.ts'
import { ROUNDABOUT } from './wordlists.ts'

const PASS = { pass: 0.7, revise: 0.4 }
/** Words of a sentence: full score, reported as long, no score. */
const GOOD_WORDS = 20
const LONG_WORDS = 25
const MAX_WORDS = 40
/** LIX counts words of more than six letters as long. */
const LONG_WORD_LETTERS = 6

const findRoundabout = phraseFinder(ROUNDABOUT)

interface SentenceMeasure {
  readonly sentence: Sentence
  readonly where: string
  readonly empty: readonly string[]
}

export const clarity: CriterionRule = {
  name: 'clarity',
  measures: 'how easy it is to read: LIX, sentence length, empty phrases, passive voice',
  parameters: {},
  measure({ reading }) {
    if (reading.prose.length === 0) return NO_TEXT
    if (!reading.hasSpaces) {
      return unmeasured(
        'The script puts no blanks between words, so words and sentences cannot be measured.',
        'Have a reader of the language judge its clarity.',
      )
    }
    return measured(reading)
  },
}

function measured({ prose, isEnglish }: OutputReading): Measurement {
  const sentences = prose.flatMap((passage) =>
    passage.sentences.map((sentence): SentenceMeasure => {
      const empty = isEnglish ? findRoundabout(sentence.words).map(({ phrase }) => phrase) : []
      return { sentence, where: passage.pointer, empty }
    }),
  )
  const words = sum(sentences, ({ sentence }) => sentence.words.length)
  const long = sum(sentences, ({ sentence }) => sentence.words.filter(isLong).length)
  const lix = words / sentences.length + (100 * long) / words
  const empty = sum(sentences, (one) => one.empty.length)
  const passive = isEnglish ? sentences.filter(({ sentence }) => isPassive(sentence)) : []
  const length =
    sum(sentences, ({ sentence: { words } }) => words.length * linearScore(words.length, GOOD_WORDS, MAX_WORDS)) / words
  const parts: [number, number][] = [
    [0.4, linearScore(lix, 40, 60)],
    [0.3, length],
  ]
  if (isEnglish)
    parts.push(
      [0.2, linearScore(empty / words, 0.02, 0.1)],
      [0.1, linearScore(passive.length / sentences.length, 0.1, 0.6)],
    )
  const score = roundedScore(sum(parts, ([weight, part]) => weight * part) / sum(parts, ([weight]) => weight))
  const verdict = verdictFor(score, PASS)
  const shape = `LIX ${lix.toFixed(0)}, ${plural(words, 'word')} in ${plural(sentences.length, 'sentence')}`
  const english = isEnglish
    ? `, ${plural(empty, 'empty phrase')}, ${passive.length} passive`
    : '; it does not look English, so phrases and voice were left out'
  const worst = worstOf(sentences)
  return {
    score,
    verdict,
    evidence: [`${shape}${english}.`, ...firstFew(worst.map(described), 4)],
    suggestion: suggestion(worst, lix, passive[0]),
  }
}

const isLong = ({ text }: { text: string }): boolean => text.length > LONG_WORD_LETTERS && /\p{L}/u.test(text)

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

/** Sentences that are too long or have empty phrases, worst first. */
function worstOf(sentences: readonly SentenceMeasure[]): SentenceMeasure[] {
  return sentences.filter((one) => excessOf(one) > 0).sort((a, b) => excessOf(b) - excessOf(a))
}

const excessOf = ({ sentence, empty }: SentenceMeasure): number =>
  Math.max(0, sentence.words.length - LONG_WORDS) + 5 * empty.length

function described({ sentence, where, empty }: SentenceMeasure): string {
  const phrases = empty.length === 0 ? '' : `, with ${quotedList(empty, 3)}`
  return withPointer(where, `${plural(sentence.words.length, 'word')}${phrases}: ${quoted(sentence.text)}`)
}

function suggestion(worst: readonly SentenceMeasure[], lix: number, passive: SentenceMeasure | undefined): string {
  const tooLong = worst.find(({ sentence }) => sentence.words.length > LONG_WORDS)
  const empty = worst.find((one) => one.empty.length > 0)
  const advice = [
    tooLong &&
      `Split the sentence ${quoted(tooLong.sentence.text, 60)} so that no part has more than ${LONG_WORDS} words.`,
    empty && `Strike ${quotedList([...new Set(empty.empty)], 3)} from ${quoted(empty.sentence.text, 60)}.`,
    passive && `Say who acts in ${quoted(passive.sentence.text, 60)}.`,
    lix > 50 && `Put short words in place of those with more than ${LONG_WORD_LETTERS} letters.`,
  ]
  return advice.filter((one) => typeof one === 'string').join(' ') || 'Use shorter sentences and shorter words.'
}
