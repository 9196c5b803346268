/**
 * Policy: 1 minus 0.5 for every hard breach (a forbidden word or phrase, personal data) and 0.2 for every soft one (a
 * required text that is missing, shouting, too many exclamation marks, an absolute claim, characters that hide something).
 * A hard breach fails, a soft one asks for revision. Texts are read as they look, so spelling tricks change nothing.
 */
import { plural } from '../../../protocol/text.ts'
import { hiddenIn } from '../../../tool/text/hidden-characters.ts'
import { mixedWords } from '../../../tool/verify/lookalikes.ts'
import type { CriterionInput, CriterionRule } from '../criterion.ts'
import { phraseFinder } from '../reading/phrases.ts'
import { firstFew, quoted, roundedScore, withPointer } from '../reading/quote.ts'
import type { Passage } from '../reading/reading.ts'
import type { Word } from '../reading/sentences.ts'
import { DISGUISES, type ForbiddenMatch, forbiddenFinder } from './policy/forbidden.ts'
import { personalDataIn } from './policy/personal.ts'
import { ABSOLUTE } from './wordlists.ts'

interface PolicyBreach {
  readonly isHard: boolean
  readonly says: string
  readonly advice: string
}

const HARD = 0.5
const SOFT = 0.2
/** Words in a row all in capitals that nobody takes for shouting: a brand, an abbreviation. */
const CAPITALS = 3
const EXCLAMATIONS = 1

const absolute = phraseFinder(ABSOLUTE)

export const policy: CriterionRule = {
  name: 'policy',
  measures: 'forbidden and required texts, shouting, personal data, absolute claims, hidden characters',
  parameters: {
    forbid: 'texts',
    require: 'texts',
    allow: 'texts',
    max_exclamations: 'count',
    max_caps_words: 'count',
  },
  measure(job) {
    const forbidden = forbiddenFinder((job.parameters.forbid ?? []) as string[])
    const breaches = [
      ...job.reading.passages.flatMap((passage) => breachesOf(passage, forbidden(passage), job.parameters)),
      ...missingIn(job),
      ...exclaimedIn(job),
    ]
    const hard = breaches.filter(({ isHard }) => isHard)
    const score = roundedScore(1 - HARD * hard.length - SOFT * (breaches.length - hard.length))
    // What fails it is said first.
    const ordered = [...hard, ...breaches.filter(({ isHard }) => !isHard)]
    return {
      score,
      verdict: hard.length > 0 ? 'fail' : breaches.length > 0 ? 'revise' : 'pass',
      evidence: breaches.length === 0 ? ['No breach found.'] : firstFew(ordered.map(({ says }) => says)),
      suggestion:
        breaches.length === 0 ? null : [...new Set(ordered.map(({ advice }) => advice))].slice(0, 4).join(' '),
    }
  },
}

function breachesOf(
  passage: Passage,
  forbidden: readonly ForbiddenMatch[],
  given: CriterionInput['parameters'],
): PolicyBreach[] {
  const { pointer } = passage
  const breach = (isHard: boolean, says: string, advice: string): PolicyBreach => ({
    isHard,
    says: withPointer(pointer, says),
    advice,
  })
  const allowed = (given.allow ?? []) as string[]
  return [
    ...forbidden.map(({ phrase, found }) =>
      breach(
        true,
        `${quoted(phrase, 40)} is forbidden and stands in it as ${quoted(found, 40)}.`,
        `Take out ${quoted(phrase, 40)}.`,
      ),
    ),
    ...personalDataIn(passage, allowed).map(({ kind, masked }) =>
      breach(
        true,
        `It gives away ${kind}: ${masked}.`,
        `Take out ${kind}, or name it in allow if it is meant to be public.`,
      ),
    ),
    ...absolute
      .find(passage.words)
      .map(({ phrase }) =>
        breach(
          false,
          `${quoted(phrase)} is a claim that nobody can keep.`,
          `Put what can be shown in place of ${quoted(phrase)}.`,
        ),
      ),
    ...shoutIn(passage, (given.max_caps_words as number | undefined) ?? CAPITALS).map((words) =>
      breach(
        false,
        `${plural(words.split(' ').length, 'word')} in capitals: ${quoted(words, 60)}.`,
        'Write in small letters.',
      ),
    ),
    ...hiddenInside(passage).map((says) => breach(false, says, 'Write the text with plain characters.')),
  ]
}

function shoutIn(passage: Passage, most: number): string[] {
  const shout = longestShout(passage.words)
  return shout.length > most
    ? [
        shout
          .slice(0, 30)
          .map(({ text }) => text)
          .join(' '),
      ]
    : []
}

/** Once a text, however many there are. */
function hiddenInside({ raw }: Passage): string[] {
  const [hidden] = hiddenIn(raw)
  const [mixed] = mixedWords(raw)
  return [
    ...(hidden === undefined ? [] : [`It has characters that nobody sees (${hidden.kind}).`]),
    ...(mixed === undefined ? [] : [`${quoted(mixed, 40)} mixes letters of scripts that look alike.`]),
  ]
}

function missingIn({ reading, parameters: given }: CriterionInput): PolicyBreach[] {
  const required = [...new Set((given.require ?? []) as string[])]
  return required
    .map((phrase) => ({ phrase, stands: forbiddenFinder([phrase], DISGUISES.none) }))
    .filter(({ stands }) => !reading.passages.some((passage) => stands(passage).length > 0))
    .map(({ phrase }) => ({
      isHard: false,
      says: `${quoted(phrase, 60)} is required and is not there.`,
      advice: `Add ${quoted(phrase, 60)}.`,
    }))
}

function exclaimedIn({ reading, parameters: given }: CriterionInput): PolicyBreach[] {
  const most = (given.max_exclamations as number | undefined) ?? EXCLAMATIONS
  const count = reading.passages.reduce((total, { text }) => total + exclamations(text), 0)
  if (count <= most) return []
  return [
    {
      isHard: false,
      says: `${plural(count, 'exclamation mark')}; ${most} ${most === 1 ? 'is' : 'are'} allowed.`,
      advice: 'End the sentences with full stops.',
    },
  ]
}

/** Of letters, at least two, none of them small. Scripts without capitals cannot shout. */
const CAPITAL_WORD = /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}\p{N}']+$/u
const LONGEST_WORD = 100

/** The longest run of words in capitals. Figures between them neither end nor lengthen it. */
function longestShout(words: readonly Word[]): Word[] {
  let longest: Word[] = []
  let here: Word[] = []
  for (const word of words) {
    if (/^\p{N}+$/u.test(word.text.slice(0, LONGEST_WORD))) continue
    if (CAPITAL_WORD.test(word.text.slice(0, LONGEST_WORD))) here.push(word)
    // “A” and “I” are capitals in any case.
    else if (!/^\p{Lu}$/u.test(word.text)) here = []
    if (here.length > longest.length) longest = here
  }
  return longest
}

const exclamations = (text: string): number => text.match(/[!¡]/g)?.length ?? 0
