/**
 * The words of the goal that nothing else explains, as the value of what would have to be asked: in "Launch a new coffee brand"
 * coffee is the category. Only where there is one such phrase, and an input that takes any words as its subject.
 */

import { stem } from '../../../english/stem.ts'
import { splitWords } from '../../../english/words.ts'
import type { DraftStep } from '../draft-steps.ts'
import { valueFits } from '../matching/fits.ts'
import { JSON_STRING } from '../matching/schema-shape.ts'
import { questionKey } from '../matching/slots.ts'
import type { Candidate, KnownValue, Need } from '../types.ts'
import type { GoalText, LooseIdentifier } from './read-goal.ts'
import type { GoalTarget } from './target.ts'
import { contentStems } from './words.ts'

/** What subjects are called; the first is the most likely to be meant. */
const SUBJECTS = [
  'category',
  'niche',
  'topic',
  'subject',
  'theme',
  'query',
  'keyword',
  'term',
  'product_name',
  'title',
  'text',
  'prompt',
]

export interface RemainderValue {
  readonly knownValue: KnownValue
  readonly note: string
  /** what would be said of the value otherwise */
  readonly replaces: string
}

export function remainderValue(
  steps: readonly DraftStep[],
  aim: GoalTarget,
  workers: readonly Candidate[],
  text: GoalText,
): RemainderValue | undefined {
  const asked = steps.flatMap(({ missing }) => missing.map(({ need }) => need))
  const code = text.looseIdentifier()
  if (code !== undefined) {
    const others = new Set(
      workers.flatMap(({ needs }) => needs.flatMap(({ property }) => splitWords(property).map(stem))),
    )
    const ids = asked.filter((need) => isId(need) && valueFits(need, code.text) && mayBeSaidOf(need, code, others))
    // What would be any first one of a list is this one, where the text calls it what the input calls it.
    const firsts = steps.flatMap(({ links }) => links.filter(({ match }) => match.offer.lists.length > 0))
    const called = firsts.map(({ need }) => need).filter((need) => isCalled(need, code) && valueFits(need, code.text))
    for (const [need, ...more] of [ids, called])
      if (need !== undefined && more.every((one) => questionKey(one) === questionKey(need)))
        return restAs(need, code.text)
  }
  const open = [...asked, ...fetchedFor(steps, aim)].filter(takesAnyWords)
  if (open.length === 0) return undefined
  const names = [
    ...aim.workers.map((worker) => workers[worker]?.tool.name ?? ''),
    ...aim.things.map(({ property }) => property),
  ]
  const phrase = text.remainder(new Set(names.flatMap((name) => splitWords(name).map(stem))))
  if (phrase === undefined) return undefined
  const [need] = open
    .filter((one) => valueFits(one, phrase))
    .sort((one, other) => placeOf(one) - placeOf(other) || (questionKey(one) < questionKey(other) ? -1 : 1))
  return need === undefined ? undefined : restAs(need, phrase)
}

/** What a step would be added for, though the words of the goal may say it: "red chairs" is nearer than the first sku of a list. */
function fetchedFor(steps: readonly DraftStep[], { workers }: GoalTarget): Need[] {
  const aimedAt = new Set(workers)
  return steps
    .filter(({ candidate }) => aimedAt.has(candidate))
    .flatMap(({ links }) => links.filter(({ match }) => !aimedAt.has(match.candidate)))
    .map(({ need }) => need)
    .filter(showsPhrases)
}

function restAs(need: Need, phrase: string): RemainderValue {
  const value = JSON.stringify(phrase)
  return {
    knownValue: { key: questionKey(need), value: phrase, from: 'text' },
    note: `Took ${value}, which nothing else in the goal explains, as ${need.property}.`,
    replaces: `Took ${need.property} = ${value} from the goal's text.`,
  }
}

const ID_WORDS = new Set(['id', 'sku', 'code', 'number', 'ref', 'key'])

const isId = (need: Need): boolean =>
  need.values === undefined &&
  (need.jsonTypes & JSON_STRING) !== 0 &&
  ID_WORDS.has(splitWords(need.typeId ?? need.property).at(-1) ?? '')

const isCalled = ({ property, names, description = '' }: Need, { noun }: LooseIdentifier): boolean =>
  noun !== undefined && contentStems(`${property} ${names.join(' ')} ${description}`).includes(noun)

/** "Licence B072" is no id of a driver, where some tool takes a licence. */
const mayBeSaidOf = (need: Need, code: LooseIdentifier, others: ReadonlySet<string>): boolean =>
  code.noun === undefined || !others.has(code.noun) || isCalled(need, code)

const placeOf = ({ names }: Need): number =>
  Math.min(...names.map((name) => SUBJECTS.indexOf(name)).filter((at) => at >= 0), SUBJECTS.length)

const takesAnyWords = (need: Need): boolean => {
  const { pattern, format } = need.schema
  const isOpen = need.values === undefined && pattern === undefined && format === undefined
  return isOpen && (need.jsonTypes & JSON_STRING) !== 0 && (placeOf(need) < SUBJECTS.length || showsPhrases(need))
}

/** Whatever it is called, an input whose schema has several words as an example of it takes words. */
const showsPhrases = ({ schema: { examples } }: Need): boolean =>
  Array.isArray(examples) && examples.some((one) => typeof one === 'string' && /\p{L}\s+\p{L}/u.test(one))
