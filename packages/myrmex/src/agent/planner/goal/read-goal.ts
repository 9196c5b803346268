/** What the goal's text says besides which tools it asks for: values, days, one of the values an input takes, and the rest. */

import { dayRangesIn } from '../../../english/dates.ts'
import { stem } from '../../../english/stem.ts'
import { splitWords } from '../../../english/words.ts'
import { JSON_STRING, shapeOf } from '../matching/schema-shape.ts'
import type { Candidate, ChosenValue, KnownValue, Need } from '../types.ts'
import type { GoalWord } from './choose-tools.ts'
import { valueFromDates } from './dates.ts'
import { isAmount, isEmail, isIdentifier, LONGEST_GOAL, type Token, tokensOf } from './tokens.ts'
import { valuesInText } from './values.ts'
import { wordRolesOf } from './word-roles.ts'
import { isStopWord, synonymsOf } from './words.ts'

export interface LooseIdentifier {
  readonly text: string
  /** the word that stands before it, as a stem */
  readonly noun: string | undefined
}

export interface GoalText {
  readonly words: readonly GoalWord[]
  readonly knownValues: readonly KnownValue[]
  readonly fromText: (need: Need) => ChosenValue | undefined
  /** the one thing in it that looks like somebody's id and that no name stands beside */
  readonly looseIdentifier: () => LooseIdentifier | undefined
  /** what somebody named exactly: in quotes, as a code or an address. A plan that uses none of it may have missed the point */
  readonly exactNames: readonly string[]
  /** what is left when everything that was understood is taken away; one phrase, or nothing */
  readonly remainder: (understood: ReadonlySet<string>) => string | undefined
}

/** General nouns that a subject stands before: in "a coffee brand" the subject is coffee. */
const GENERAL = new Set(
  'brand business shop store company line range product item thing good offer market niche'.split(' ').map(stem),
)

export function readGoal(goal: string, workers: readonly Candidate[], today: unknown): GoalText {
  const tokens = tokensOf(goal)
  const needs = workers.flatMap((worker) => worker.needs.flatMap(withParts))
  const toolWords = new Set(workers.flatMap(({ tool }) => splitWords(tool.name).map(stem)))
  const found = valuesInText(tokens, needs, (word) => toolWords.has(stem(word)))
  const days = dayRangesIn(goal.slice(0, LONGEST_GOAL), today)
  const said = new Set(days.flatMap((one) => splitWords(one.phrase)))
  const isWord = ({ lower, quoted }: Token, at: number): boolean =>
    !quoted && !found.values.has(at) && !said.has(lower) && !isStopWord(lower) && /^\p{L}/u.test(lower)
  const moods = wordRolesOf(tokens)
  const words: GoalWord[] = tokens.flatMap((token, at) => {
    const mood = moods[at]
    if (!isWord(token, at) || mood === undefined || mood.isNegated) return []
    const [isLabel, isAbout] = [found.labels.has(at), isSubject(tokens, at)]
    const place = { isLabel, isSubject: isAbout, isAsking: mood.inQuestion, isVerb: mood.isVerbPosition }
    return splitWords(token.lower).map((word) => ({ stem: stem(word), word, ...place }))
  })
  return {
    words,
    knownValues: found.knownValues,
    fromText: (need) => choiceIn(tokens, need) ?? emailIn(tokens, need) ?? valueFromDates(need, days),
    looseIdentifier: () => {
      const codes = tokens.flatMap((token, at) => {
        if (!isIdentifier(token) || isEmail(token) || found.values.has(at) || said.has(token.lower)) return []
        const before = tokens[at - 1]?.lower ?? ''
        return [{ text: token.text, noun: isStopWord(before) || before === '' ? undefined : stem(before) }]
      })
      return codes.length === 1 ? codes[0] : undefined
    },
    exactNames: tokens
      .filter((token) => token.quoted || isEmail(token) || (isIdentifier(token) && !isAmount(token)))
      .filter(({ lower }) => !said.has(lower) && !splitWords(lower).every((word) => said.has(word)))
      .map(({ text }) => text),
    remainder: (understood) => {
      const isLeft = (token: Token, at: number): boolean =>
        isWord(token, at) && !found.labels.has(at) && !isUnderstood(token.lower, understood)
      return restOf(tokens, found.values, isLeft)
    },
  }
}

const INTRODUCING = new Set('about on of for regarding concerning'.split(' '))
const ARTICLES = new Set('the a an my our all some'.split(' '))

/** What something is about, and not what is to be done: in "a FAQ about shipping" nothing is to be shipped. */
function isSubject(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.lower ?? ''
  return INTRODUCING.has(ARTICLES.has(before) ? (tokens[at - 2]?.lower ?? '') : before)
}

const withParts = (need: Need): Need[] => [need, ...need.parts.flatMap(withParts)]

const isUnderstood = (word: string, understood: ReadonlySet<string>): boolean => {
  const own = stem(word)
  return understood.has(own) || GENERAL.has(own) || synonymsOf(own).some((other) => understood.has(other))
}

/** Something in quotes before anything else; otherwise the words that stand together, if there is one such place only. */
function restOf(
  tokens: readonly Token[],
  values: ReadonlySet<number>,
  isLeft: (token: Token, at: number) => boolean,
): string | undefined {
  const quoted = tokens.filter((token, at) => token.quoted && !values.has(at))
  if (quoted.length > 0) return quoted.length === 1 ? quoted[0]?.text : undefined
  const phrases: string[][] = []
  let last = -2
  for (const [at, token] of tokens.entries()) {
    if (!isLeft(token, at)) continue
    if (at === last + 1 && !token.afterPunctuation) phrases.at(-1)?.push(token.text)
    else phrases.push([token.text])
    last = at
  }
  return phrases.length === 1 ? phrases[0]?.join(' ') : undefined
}

/** The first of the values that the need takes which the text names. */
function choiceIn(tokens: readonly Token[], need: Need): ChosenValue | undefined {
  const values = need.values ?? itemValues(need)
  if (values === undefined || values.length < 2) return undefined
  let best: { at: number; value: string } | undefined
  for (const value of values) {
    if (typeof value !== 'string') continue
    const at = placeOf(tokens, splitWords(value))
    if (at !== undefined && (best === undefined || at < best.at)) best = { at, value }
  }
  if (best === undefined) return undefined
  const value = need.values === undefined ? [best.value] : best.value
  return { value, note: `Took ${need.property} = ${JSON.stringify(value)} from the goal's text.` }
}

/** The one address in the text, for whatever takes one. */
function emailIn(tokens: readonly Token[], need: Need): ChosenValue | undefined {
  const takesOne = need.schema.format === 'email' || (need.jsonTypes === JSON_STRING && need.names.includes('email'))
  const addresses = new Set(takesOne ? tokens.filter(isEmail).map(({ text }) => text) : [])
  const [value] = addresses
  if (value === undefined || addresses.size > 1) return undefined
  return { value, note: `Took ${need.property} = ${JSON.stringify(value)} from the goal's text.` }
}

function itemValues(need: Need): readonly unknown[] | undefined {
  if (need.item === undefined || (need.item.json & JSON_STRING) === 0) return undefined
  return shapeOf(shapeOf(need.schema, need.rootSchema).items, need.rootSchema).values
}

function placeOf(tokens: readonly Token[], words: readonly string[]): number | undefined {
  if (words.length === 0 || (words.length === 1 && isStopWord(words[0] ?? ''))) return undefined
  const spoken = tokens.flatMap(({ lower }, at) => splitWords(lower).map((word) => ({ word: stem(word), at })))
  const wanted = words.map(stem)
  const place = spoken.findIndex((_, start) => wanted.every((word, index) => spoken[start + index]?.word === word))
  return spoken[place]?.at
}
