/** Reads the goal's text: its words, and the values, days and allowed values that it names for inputs. */

import { dayRangesIn } from '../../../english/dates.ts'
import { stem } from '../../../english/stem.ts'
import { splitWords } from '../../../english/words.ts'
import { KIND } from '../../../schema/json-schema/kinds.ts'
import { fromGoalText } from '../matching/available-values.ts'
import { shapeOf } from '../matching/schema-shape.ts'
import type { Candidate, ChosenValue, KnownValue, Need } from '../types.ts'
import type { GoalWord } from './choose-tools.ts'
import { valueFromDates } from './dates.ts'
import { isAmount, isEmail, isIdentifier, MAX_GOAL_LENGTH, type Token, tokensOf } from './tokens.ts'
import { valuesInText } from './values.ts'
import { wordRolesOf } from './word-roles.ts'
import { isStopWord, synonymsOf } from './words.ts'

export interface LooseIdentifier {
  readonly text: string
  /** the word before it, as a stem */
  readonly noun: string | undefined
}

export interface GoalText {
  readonly words: readonly GoalWord[]
  readonly knownValues: readonly KnownValue[]
  readonly fromText: (need: Need) => ChosenValue | undefined
  /** the only identifier in the text that has no name beside it */
  readonly looseIdentifier: () => LooseIdentifier | undefined
  /** quoted texts, codes and addresses. A plan that uses none of them may have missed the point */
  readonly exactNames: readonly string[]
  /** the only phrase that is left without the words in `understood` */
  readonly remainder: (understood: ReadonlySet<string>) => string | undefined
}

/** General nouns after a topic: in "a coffee brand" the topic is coffee. */
const GENERAL = new Set(
  'brand business shop store company line range product item thing good offer market niche'.split(' ').map(stem),
)

export function readGoal(goal: string, candidates: readonly Candidate[], today: unknown): GoalText {
  const tokens = tokensOf(goal)
  const needs = candidates.flatMap((candidate) => candidate.needs.flatMap(withParts))
  const toolWords = new Set(candidates.flatMap(({ tool }) => splitWords(tool.name).map(stem)))
  const found = valuesInText({ tokens, isToolWord: (word) => toolWords.has(stem(word)) }, needs)
  const days = dayRangesIn(goal.slice(0, MAX_GOAL_LENGTH), today)
  const dayWords = new Set(days.flatMap((one) => splitWords(one.phrase)))
  const isWord = ({ lower, quoted }: Token, at: number): boolean =>
    !quoted && !found.values.has(at) && !dayWords.has(lower) && !isStopWord(lower) && /^\p{L}/u.test(lower)
  const roles = wordRolesOf(tokens)
  const words: GoalWord[] = tokens.flatMap((token, at) => {
    const role = roles[at]
    if (!isWord(token, at) || role === undefined || role.isNegated) return []
    const more = { ...role, namesValue: found.labels.has(at), isTopic: isTopic(tokens, at) }
    return splitWords(token.lower).map((word) => ({ stem: stem(word), word, ...more }))
  })
  return {
    words,
    knownValues: found.knownValues,
    fromText: (need) => choiceIn(tokens, need) ?? emailIn(tokens, need) ?? valueFromDates(need, days),
    looseIdentifier: () => {
      const codes = tokens.flatMap((token, at) => {
        if (!isIdentifier(token) || isEmail(token) || found.values.has(at) || dayWords.has(token.lower)) return []
        const before = tokens[at - 1]?.lower ?? ''
        return [{ text: token.text, noun: isStopWord(before) || before === '' ? undefined : stem(before) }]
      })
      return codes.length === 1 ? codes[0] : undefined
    },
    exactNames: tokens
      .filter((token) => token.quoted || isEmail(token) || (isIdentifier(token) && !isAmount(token)))
      .filter(({ lower }) => !dayWords.has(lower) && !splitWords(lower).every((word) => dayWords.has(word)))
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

/** Whether the word is a topic and not a request: "a FAQ about shipping" asks for no shipping. */
function isTopic(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.lower ?? ''
  return INTRODUCING.has(ARTICLES.has(before) ? (tokens[at - 2]?.lower ?? '') : before)
}

const withParts = (need: Need): Need[] => [need, ...need.parts.flatMap(withParts)]

const isUnderstood = (word: string, understood: ReadonlySet<string>): boolean => {
  const own = stem(word)
  return understood.has(own) || GENERAL.has(own) || synonymsOf(own).some((other) => understood.has(other))
}

/** A quoted text; otherwise the adjacent words that are left, if there is only one such group. */
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

/** The allowed value that the text names first. */
function choiceIn(tokens: readonly Token[], need: Need): ChosenValue | undefined {
  const values = need.values ?? itemValues(need)
  if (values === undefined || values.length < 2) return undefined
  let best: { at: number; value: string } | undefined
  for (const value of values) {
    if (typeof value !== 'string') continue
    const at = indexOfWords(tokens, splitWords(value))
    if (at !== undefined && (best === undefined || at < best.at)) best = { at, value }
  }
  if (best === undefined) return undefined
  return fromGoalText(need, need.values === undefined ? [best.value] : best.value)
}

/** The only e-mail address in the text, for an input that takes one. */
function emailIn(tokens: readonly Token[], need: Need): ChosenValue | undefined {
  const takesOne = need.schema.format === 'email' || (need.jsonTypes === KIND.STRING && need.names.includes('email'))
  const addresses = new Set(takesOne ? tokens.filter(isEmail).map(({ text }) => text) : [])
  const [value] = addresses
  return value === undefined || addresses.size > 1 ? undefined : fromGoalText(need, value)
}

function itemValues(need: Need): readonly unknown[] | undefined {
  if (need.item === undefined || (need.item.jsonTypes & KIND.STRING) === 0) return undefined
  return shapeOf(shapeOf(need.schema, need.rootSchema).items, need.rootSchema).values
}

function indexOfWords(tokens: readonly Token[], words: readonly string[]): number | undefined {
  if (words.length === 0 || (words.length === 1 && isStopWord(words[0] ?? ''))) return undefined
  const spoken = tokens.flatMap(({ lower }, at) => splitWords(lower).map((word) => ({ word: stem(word), at })))
  const wanted = words.map(stem)
  const start = spoken.findIndex((_, from) => wanted.every((word, index) => spoken[from + index]?.word === word))
  return spoken[start]?.at
}
