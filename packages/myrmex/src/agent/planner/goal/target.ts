/** What the goal aims at: what the context wants, or what the words of the goal ask for, and how that was understood. */
import { listInWords } from '../../../english/words.ts'
import { bareName } from '../explain.ts'
import type { AvailableValues } from '../matching/available-values.ts'
import { namesOfNeed } from '../matching/available-values.ts'
import type { OfferIndex } from '../matching/offer-index.ts'
import { JSON_ANY } from '../matching/schema-shape.ts'
import { normalizedName } from '../names.ts'
import type { SearchTarget } from '../search/search-space.ts'
import type { Candidate, Need } from '../types.ts'
import { chooseTools } from './choose-tools.ts'
import type { GoalText } from './read-goal.ts'

export interface GoalTarget extends SearchTarget {
  readonly assumptions: readonly string[]
  /** what is wanted and nothing can give */
  readonly unknown: readonly string[]
  /** tools between which the words do not decide */
  readonly vague: readonly number[]
}

const NOTHING = { workers: [], things: [], assumptions: [], unknown: [], vague: [] }

export function targetFromText(text: GoalText, workers: readonly Candidate[]): GoalTarget {
  const { chosen, ambiguous } = chooseTools(text.words, workers)
  if (chosen.length === 0) return { ...NOTHING, vague: ambiguous }
  const names = chosen.map(({ candidate, words }) => `${workers[candidate]?.tool.name} (${listInWords(words)})`)
  return {
    ...NOTHING,
    workers: chosen.map(({ candidate }) => candidate),
    assumptions: [`Understood the goal as asking for ${listInWords(names)}.`],
  }
}

/** Tools by canonical name, or by bare name where there is one only; anything else is a thing that some tool gives. */
export function targetFromWants(
  wants: readonly string[],
  workers: readonly Candidate[],
  offers: OfferIndex,
  hand: AvailableValues,
): GoalTarget {
  const found = { workers: [] as number[], things: [] as Need[], assumptions: [] as string[], unknown: [] as string[] }
  for (const want of new Set(wants)) {
    const exact = workers.findIndex(({ tool }) => tool.name === want)
    const alike = workers.flatMap(({ tool }, index) => (bareName(tool.name) === want ? [index] : []))
    const [only] = exact >= 0 ? [exact] : alike.length === 1 ? alike : []
    const thing = needForWant(want)
    if (only !== undefined) found.workers.push(only)
    else if (isAtHand(thing, hand)) found.assumptions.push(`${want} is known already: nothing has to be done for it.`)
    else if (offers.matchesFor(thing).length > 0) found.things.push(thing)
    else found.unknown.push(want)
  }
  return { ...found, vague: [] }
}

/** A need of anything that goes by this name. */
export const needForWant = (want: string): Need => ({
  path: [want],
  property: want,
  typeId: want,
  names: [normalizedName(want)],
  required: true,
  jsonTypes: JSON_ANY,
  item: { typeId: want, names: [normalizedName(want)], json: JSON_ANY },
  values: undefined,
  defaultValue: undefined,
  isMoney: false,
  description: undefined,
  // A keyword that no tool uses keeps it apart from a need of the same type.
  schema: { wanted: true },
  rootSchema: {},
  parts: [],
})

const isAtHand = (thing: Need, { knowns }: AvailableValues): boolean => {
  const names = new Set(namesOfNeed(thing))
  return knowns.some(({ key, from }) => from === 'context' && (key === thing.typeId || names.has(normalizedName(key))))
}
