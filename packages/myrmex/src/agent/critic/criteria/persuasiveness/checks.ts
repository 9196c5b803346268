/** The checks that make up persuasiveness. Each gives a share of its points, and says with quotes what it found. */

import { listInWords } from '../../../../english/words.ts'
import { plural } from '../../../../protocol/text.ts'
import { linearScore } from '../../criterion.ts'
import { isPassive } from '../../reading/english.ts'
import { leavesOf } from '../../reading/passages.ts'
import { phraseFinder } from '../../reading/phrases.ts'
import { quoted } from '../../reading/quote.ts'
import type { OutputReading } from '../../reading/reading.ts'
import { type Sentence, wordKey } from '../../reading/sentences.ts'
import { ACTIONS, BENEFITS, HYPE, PROOF } from '../wordlists.ts'

export interface CopyParts {
  readonly sentences: readonly Sentence[]
  readonly words: number
  /** words that the facts have as names */
  readonly names: ReadonlySet<string>
}

interface CheckResult {
  /** of the points */
  readonly share: number
  readonly says: string
}

interface Check {
  readonly name: string
  readonly points: number
  readonly advice: string
  look(pieces: CopyParts): CheckResult
}

/** More names than this are no help to a text. */
const MAX_NAMES = 5000

export function copyParts({ prose }: OutputReading, facts: unknown): CopyParts {
  const sentences = prose.flatMap((passage) => passage.sentences)
  const words = sentences.reduce((total, sentence) => total + sentence.words.length, 0)
  const names = new Set<string>()
  for (const { value } of leavesOf(facts)) {
    if (typeof value !== 'string' || names.size > MAX_NAMES) continue
    for (const name of value.slice(0, 2000).match(/\p{Lu}[\p{L}\p{N}]{2,}/gu) ?? []) names.add(wordKey(name))
  }
  return { sentences, words, names }
}

const READER = new Set("you your yours yourself you'll you're you've you'd".split(' '))
const benefits = new Set(BENEFITS)
const actions = new Set(ACTIONS)
const findProof = phraseFinder(PROOF)
const HARMLESS = ['best regards', 'best wishes', 'all the best', 'best before']
const findHype = phraseFinder([...HARMLESS, ...HYPE])
const NUMBERED = /\d/

const speaksToReader = ({ words }: Sentence): boolean => words.some(({ key }) => READER.has(key))

/** An order to the reader: its verb opens the sentence, or stands after a dash, colon, comma or `and`. */
function callsToAct({ text, words }: Sentence): boolean {
  const first = words[0]
  if (first !== undefined && actions.has(first.key) && !text.trimEnd().endsWith('?')) return true
  return /(?:[,:;–—-]|\band|\bthen|\bplease)\s(?:order|buy|try|shop|book|call|reply|click|tap|subscribe|sign up|add it)\b/i.test(
    text.slice(0, 600),
  )
}

const hasBenefit = (sentence: Sentence): boolean =>
  (speaksToReader(sentence) && sentence.words.some(({ key }) => benefits.has(key))) ||
  benefits.has(sentence.words[0]?.key ?? '')

/** Two or three of them, quoted. */
const shownFew = (sentences: readonly Sentence[]): string =>
  listInWords(sentences.slice(0, 2).map(({ text }) => quoted(text, 60)))

function shareOf(
  sentences: readonly Sentence[],
  is: (one: Sentence) => boolean,
  enough: number,
  none: string,
): CheckResult {
  const found = sentences.filter(is)
  if (found.length === 0) return { share: 0, says: none }
  const says = `${found.length} of ${plural(sentences.length, 'sentence')}, such as ${shownFew(found)}.`
  return { share: Math.min(1, found.length / Math.max(1, enough * sentences.length)), says }
}

export const CHECKS: readonly Check[] = [
  {
    name: 'reader',
    points: 0.15,
    advice: 'Speak to the reader: say you and your.',
    look: ({ sentences }) =>
      shareOf(sentences, (one) => speaksToReader(one) || callsToAct(one), 1 / 3, 'no sentence speaks to the reader.'),
  },
  {
    name: 'benefit',
    points: 0.2,
    advice: 'Say what the reader gets, saves or can do with it.',
    look: ({ sentences }) => shareOf(sentences, hasBenefit, 1 / 3, 'no sentence says what the reader gets.'),
  },
  {
    name: 'specifics',
    points: 0.2,
    advice: 'Give figures and names in place of adjectives: how much, how long, of what.',
    look: specifics,
  },
  {
    name: 'action',
    points: 0.15,
    advice: 'Say what to do next, in one short sentence that begins with a verb.',
    look: ({ sentences }) => {
      const found = sentences.filter(callsToAct)
      return found.length === 0
        ? { share: 0, says: 'nothing asks the reader to act.' }
        : { share: 1, says: `${shownFew(found.slice(-1))}.` }
    },
  },
  {
    name: 'proof',
    points: 0.15,
    advice: 'Give a reason to believe it: a rating, a test, a warranty, with its figure.',
    look: evidence,
  },
  {
    name: 'active',
    points: 0.05,
    advice: 'Say who does it, in the active voice.',
    look: ({ sentences }) => {
      const passive = sentences.filter(isPassive)
      const says =
        passive.length === 0 ? 'no passive sentence.' : `${passive.length} passive, such as ${shownFew(passive)}.`
      return { share: linearScore(passive.length / sentences.length, 0.2, 0.7), says }
    },
  },
  {
    name: 'restraint',
    points: 0.1,
    advice: 'Strike the superlatives, the stock phrases and the exclamation marks.',
    look: restraint,
  },
]

/** One word in twelve with a figure or a name is plenty. */
function specifics({ sentences, words, names }: CopyParts): CheckResult {
  const found = new Set<string>()
  for (const { words } of sentences) {
    for (const { key, text } of words) if (NUMBERED.test(key) || names.has(key)) found.add(text)
  }
  const share = Math.min(1, found.size / Math.max(1, words / 12))
  const few = [...found].slice(0, 4).map((one) => quoted(one, 30))
  return { share, says: found.size === 0 ? 'no figure and no name from the facts.' : `${listInWords(few)}.` }
}

/** Evidence with a figure beside it counts in full, without one for half. */
function evidence({ sentences }: CopyParts): CheckResult {
  const found = sentences.filter(({ words }) => findProof(words).length > 0)
  if (found.length === 0) return { share: 0, says: 'nothing gives a reason to believe it.' }
  const exact = found.filter(({ text }) => NUMBERED.test(text))
  return exact.length > 0
    ? { share: 1, says: `${shownFew(exact)}.` }
    : { share: 0.5, says: `${shownFew(found)}, but without a figure.` }
}

function restraint({ sentences, words }: CopyParts): CheckResult {
  const all = sentences.flatMap(({ words }) => findHype(words).map(({ phrase }) => phrase))
  const hits = all.filter((phrase) => !HARMLESS.includes(phrase))
  const exclaimed = sentences.filter(({ text }) => /!["')\]]*$/.test(text.slice(-6))).length
  const excess = hits.length + Math.max(0, exclaimed - 1)
  if (excess === 0) return { share: 1, says: 'no hype.' }
  const few = [...new Set(hits)].slice(0, 3).map((one) => quoted(one, 30))
  return {
    share: linearScore(excess / Math.max(words, 20), 0, 0.08),
    says: `${listInWords([...few, ...(exclaimed > 1 ? [plural(exclaimed, 'exclamation')] : [])])}.`,
  }
}
