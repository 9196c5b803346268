/** The target of a plan: what the context wants, or what the words of the goal ask for. */
import { listInWords } from '../../../english/words.ts'
import { KIND } from '../../../schema/json-schema/kinds.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { type AvailableValues, namesOfNeed } from '../matching/available-values.ts'
import { needOf } from '../matching/needs.ts'
import type { OfferIndex } from '../matching/offer-index.ts'
import { bareName, normalizedName } from '../names.ts'
import type { SearchTarget } from '../search/search-space.ts'
import type { Candidate, Need } from '../types.ts'
import { chooseTools } from './choose-tools.ts'
import type { GoalText } from './read-goal.ts'

export interface GoalTarget extends SearchTarget {
  readonly assumptions: readonly string[]
  /** wanted values that no tool gives */
  readonly unknownWants: readonly string[]
  /** tools between which the words do not decide */
  readonly ambiguous: readonly ToolView[]
}

export function targetFromText(text: GoalText, candidates: readonly Candidate[]): GoalTarget {
  const { chosen, ambiguous } = chooseTools(text.words, candidates)
  const names = chosen.map(({ tool, words }) => `${tool.name} (${listInWords(words)})`)
  return {
    tools: chosen.map(({ tool }) => tool),
    values: [],
    assumptions: chosen.length === 0 ? [] : [`Understood the goal as asking for ${listInWords(names)}.`],
    unknownWants: [],
    ambiguous: chosen.length === 0 ? ambiguous : [],
  }
}

/** Tools by canonical name, or by bare name if only one has it. Anything else is a value that some tool gives. */
export function targetFromWants(
  wants: readonly string[],
  tools: readonly ToolView[],
  offers: OfferIndex,
  available: AvailableValues,
): GoalTarget {
  const target = { tools: [] as ToolView[], values: [] as Need[], assumptions: [] as string[] }
  const unknownWants: string[] = []
  for (const want of new Set(wants)) {
    const exact = tools.find(({ name }) => name === want)
    const alike = tools.filter(({ name }) => bareName(name) === want)
    const tool = exact ?? (alike.length === 1 ? alike[0] : undefined)
    const need = needForWant(want)
    if (tool !== undefined) target.tools.push(tool)
    else if (isKnown(need, available))
      target.assumptions.push(`${want} is known already: nothing has to be done for it.`)
    else if (offers.matchesFor(need).length > 0) target.values.push(need)
    else unknownWants.push(want)
  }
  return { ...target, unknownWants, ambiguous: [] }
}

/** A need of any value with this name or type. */
const needForWant = (want: string): Need => ({
  // A keyword that no tool uses keeps it apart from a need of the same type.
  ...needOf({ wanted: true }, {}, [want], true, []),
  typeId: want,
  item: { typeId: want, names: [normalizedName(want)], jsonTypes: KIND.ALL },
})

const isKnown = (need: Need, { knownValues }: AvailableValues): boolean => {
  const names = new Set(namesOfNeed(need))
  const isNamed = (key: string): boolean => key === need.typeId || names.has(normalizedName(key))
  return knownValues.some(({ key, from }) => from === 'context' && isNamed(key))
}
