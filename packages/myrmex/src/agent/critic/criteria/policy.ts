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
const MAX_SHOWN_WORDS = 30

const findAbsolute = phraseFinder(ABSOLUTE)

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
      ...job.reading.passages.flatMap((passage) => [...breachesOf(passage, forbidden(passage), job.parameters)]),
      ...missingIn(job),
      ...exclaimedIn(job),
    ]
    const hard = breaches.filter(({ isHard }) => isHard)
    const score = roundedScore(1 - HARD * hard.length - SOFT * (breaches.length - hard.length))
    // Hard breaches come first.
    const ordered = [...hard, ...breaches.filter(({ isHard }) => !isHard)]
    return {
      score,
      verdict: hard.length > 0 ? 'fail' : breaches.length > 0 ? 'revise' : 'pass',
      evidence: breaches.length === 0 ? ['No breach found.'] : firstFew(ordered.map(({ says }) => says)),
      suggestion: [...new Set(ordered.map(({ advice }) => advice))].slice(0, 4).join(' '),
    }
  },
}

function* breachesOf(
  passage: Passage,
  forbidden: readonly ForbiddenMatch[],
  { allow = [], max_caps_words = CAPITALS }: CriterionInput['parameters'],
): Generator<PolicyBreach> {
  const { pointer, words, raw } = passage
  const breach = (isHard: boolean, says: string, advice: string): PolicyBreach => ({
    isHard,
    says: withPointer(pointer, says),
    advice,
  })
  for (const { phrase, found } of forbidden) {
    const name = quoted(phrase, 40)
    yield breach(true, `${name} is forbidden and is in it as ${quoted(found, 40)}.`, `Take out ${name}.`)
  }
  for (const { kind, masked } of personalDataIn(passage, allow as string[])) {
    const advice = `Take out ${kind}, or name it in allow if it is meant to be public.`
    yield breach(true, `It gives away ${kind}: ${masked}.`, advice)
  }
  for (const { phrase } of findAbsolute(words)) {
    const advice = `Put what can be shown in place of ${quoted(phrase)}.`
    yield breach(false, `${quoted(phrase)} is a claim that nobody can keep.`, advice)
  }
  const shout = longestShout(words)
  if (shout.length > (max_caps_words as number)) {
    const shown = shout.slice(0, MAX_SHOWN_WORDS).map(({ text }) => text)
    const says = `${plural(shown.length, 'word')} in capitals: ${quoted(shown.join(' '), 60)}.`
    yield breach(false, says, 'Write in small letters.')
  }
  // Once a text, however many there are.
  const [hidden] = hiddenIn(raw)
  const [mixed] = mixedWords(raw)
  const plainly = 'Write the text with plain characters.'
  if (hidden !== undefined) yield breach(false, `It has characters that nobody sees (${hidden.kind}).`, plainly)
  if (mixed !== undefined)
    yield breach(false, `${quoted(mixed, 40)} mixes letters of scripts that look alike.`, plainly)
}

function missingIn({ reading, parameters: given }: CriterionInput): PolicyBreach[] {
  const required = [...new Set((given.require ?? []) as string[])]
  const isMissing = (phrase: string): boolean => {
    const find = forbiddenFinder([phrase], DISGUISES.none)
    return !reading.passages.some((passage) => find(passage).length > 0)
  }
  return required
    .filter(isMissing)
    .map((phrase) => quoted(phrase, 60))
    .map((name) => ({ isHard: false, says: `${name} is required and is not there.`, advice: `Add ${name}.` }))
}

function exclaimedIn({ reading, parameters: given }: CriterionInput): PolicyBreach[] {
  const most = (given.max_exclamations as number | undefined) ?? EXCLAMATIONS
  const count = reading.passages.reduce((total, { text }) => total + (text.match(/[!¡]/g)?.length ?? 0), 0)
  if (count <= most) return []
  const says = `${plural(count, 'exclamation mark')}; ${most} ${most === 1 ? 'is' : 'are'} allowed.`
  return [{ isHard: false, says, advice: 'End the sentences with full stops.' }]
}

/** Of letters, at least two, none of them small. Scripts without capitals cannot shout. */
const CAPITAL_WORD = /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}\p{N}']+$/u
const MAX_WORD_LENGTH = 100

/** The longest run of words in capitals. Figures between them neither end nor lengthen it. */
function longestShout(words: readonly Word[]): Word[] {
  let longest: Word[] = []
  let here: Word[] = []
  for (const word of words) {
    if (/^\p{N}+$/u.test(word.text.slice(0, MAX_WORD_LENGTH))) continue
    if (CAPITAL_WORD.test(word.text.slice(0, MAX_WORD_LENGTH))) here.push(word)
    // “A” and “I” are capitals in any case.
    else if (!/^\p{Lu}$/u.test(word.text)) here = []
    if (here.length > longest.length) longest = here
  }
  return longest
}
