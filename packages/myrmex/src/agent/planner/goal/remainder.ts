/**
 * The words of the goal that nothing else explains, as the value of what would have to be asked: in "Launch a new coffee brand"
 * coffee is the category. Only where there is one such phrase, and an input that takes any words as its subject.
 */

import { stem } from '../../../english/stem.ts'
import { splitWords } from '../../../english/words.ts'
import { KIND } from '../../../schema/json-schema/kinds.ts'
import type { DraftStep } from '../draft-steps.ts'
import { fromGoalText } from '../matching/available-values.ts'
import { valueFits } from '../matching/fits.ts'
import { questionKey } from '../matching/slots.ts'
import type { Candidate, KnownValue, Need } from '../types.ts'
import type { GoalText, LooseIdentifier } from './read-goal.ts'
import type { GoalTarget } from './target.ts'
import { contentStems } from './words.ts'

/** Names of inputs that take a topic; the first is the most likely. */
const TOPIC_NAMES = 'category niche topic subject theme query keyword term product_name title text prompt'.split(' ')

export interface RemainderValue {
  readonly knownValue: KnownValue
  readonly note: string
  /** the note that the value would get otherwise */
  readonly replaces: string
}

export function remainderValue(
  steps: readonly DraftStep[],
  target: GoalTarget,
  candidates: readonly Candidate[],
  text: GoalText,
): RemainderValue | undefined {
  const asked = steps.flatMap(({ missing }) => missing.map(({ need }) => need))
  const code = text.looseIdentifier()
  if (code !== undefined) {
    const others = new Set(
      candidates.flatMap(({ needs }) => needs.flatMap(({ property }) => splitWords(property).map(stem))),
    )
    const ids = asked.filter((need) => isId(need) && valueFits(need, code.text) && mayBeCodeOf(need, code, others))
    // Instead of the first item of a list, if the text names it as the input does.
    const firsts = steps.flatMap(({ links }) => links.filter(({ match }) => match.offer.lists.length > 0))
    const called = firsts.map(({ need }) => need).filter((need) => isCalled(need, code) && valueFits(need, code.text))
    for (const [need, ...more] of [ids, called])
      if (need !== undefined && more.every((one) => questionKey(one) === questionKey(need)))
        return remainderAs(need, code.text)
  }
  const open = [...asked, ...fetchedNeeds(steps, target)].filter(takesAnyWords)
  if (open.length === 0) return undefined
  const names = [...target.tools.map(({ name }) => name), ...target.values.map(({ property }) => property)]
  const phrase = text.remainder(new Set(names.flatMap((name) => splitWords(name).map(stem))))
  if (phrase === undefined) return undefined
  const [need] = open
    .filter((one) => valueFits(one, phrase))
    .sort((one, other) => topicRank(one) - topicRank(other) || (questionKey(one) < questionKey(other) ? -1 : 1))
  return need === undefined ? undefined : remainderAs(need, phrase)
}

/** Inputs that a step was added for, though the goal may name them: "red chairs" is nearer than the first sku of a list. */
function fetchedNeeds(steps: readonly DraftStep[], { tools }: GoalTarget): Need[] {
  const targets = new Set(tools)
  return steps
    .filter(({ tool }) => targets.has(tool))
    .flatMap(({ links }) => links.filter(({ match }) => !targets.has(match.offer.tool)))
    .map(({ need }) => need)
    .filter(showsPhrases)
}

function remainderAs(need: Need, phrase: string): RemainderValue {
  return {
    knownValue: { key: questionKey(need), value: phrase, from: 'text' },
    note: `Took ${JSON.stringify(phrase)}, which nothing else in the goal explains, as ${need.property}.`,
    replaces: fromGoalText(need, phrase).note,
  }
}

const ID_WORDS = new Set(['id', 'sku', 'code', 'number', 'ref', 'key'])

const isId = (need: Need): boolean =>
  need.values === undefined &&
  (need.jsonTypes & KIND.STRING) !== 0 &&
  ID_WORDS.has(splitWords(need.typeId ?? need.property).at(-1) ?? '')

const isCalled = ({ property, names, description = '' }: Need, { noun }: LooseIdentifier): boolean =>
  noun !== undefined && contentStems(`${property} ${names.join(' ')} ${description}`).includes(noun)

/** "Licence B072" is no id of a driver, where some tool takes a licence. */
const mayBeCodeOf = (need: Need, code: LooseIdentifier, others: ReadonlySet<string>): boolean =>
  code.noun === undefined || !others.has(code.noun) || isCalled(need, code)

const topicRank = ({ names }: Need): number =>
  Math.min(...names.map((name) => TOPIC_NAMES.indexOf(name)).filter((at) => at >= 0), TOPIC_NAMES.length)

const takesAnyWords = (need: Need): boolean => {
  const { pattern, format } = need.schema
  const isOpen = need.values === undefined && pattern === undefined && format === undefined
  return isOpen && (need.jsonTypes & KIND.STRING) !== 0 && (topicRank(need) < TOPIC_NAMES.length || showsPhrases(need))
}

/** An input whose schema has several words as an example takes words, whatever its name. */
const showsPhrases = ({ schema: { examples } }: Need): boolean =>
  Array.isArray(examples) && examples.some((one) => typeof one === 'string' && /\p{L}\s+\p{L}/u.test(one))
