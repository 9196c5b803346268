/** What the goal aims at: what the context wants, or what the words of the goal ask for, and how that was understood. */
import { bare, joined } from './explain.ts'
import { chooseByWords } from './goal.ts'
import type { AtHand } from './known.ts'
import { namesFor } from './known.ts'
import type { Offers } from './match.ts'
import { normal } from './names.ts'
import { JSON_ANY } from './shape.ts'
import type { Aim } from './space.ts'
import type { GoalText } from './text.ts'
import type { Need, Worker } from './types.ts'

export interface Aimed extends Aim {
  readonly assumptions: readonly string[]
  /** what is wanted and nothing can give */
  readonly unknown: readonly string[]
  /** tools between which the words do not decide */
  readonly vague: readonly number[]
}

const NOTHING = { workers: [], things: [], assumptions: [], unknown: [], vague: [] }

export function aimByText(text: GoalText, workers: readonly Worker[]): Aimed {
  const { chosen, vague } = chooseByWords(text.words, workers)
  if (chosen.length === 0) return { ...NOTHING, vague }
  const names = chosen.map(({ worker, words }) => `${workers[worker]?.tool.name} (${joined(words)})`)
  return {
    ...NOTHING,
    workers: chosen.map(({ worker }) => worker),
    assumptions: [`Understood the goal as asking for ${joined(names)}.`],
  }
}

/** Tools by canonical name, or by bare name where there is one only; anything else is a thing that some tool gives. */
export function aimByWants(wants: readonly string[], workers: readonly Worker[], offers: Offers, hand: AtHand): Aimed {
  const found = { workers: [] as number[], things: [] as Need[], assumptions: [] as string[], unknown: [] as string[] }
  for (const want of new Set(wants)) {
    const exact = workers.findIndex(({ tool }) => tool.name === want)
    const alike = workers.flatMap(({ tool }, index) => (bare(tool.name) === want ? [index] : []))
    const [only] = exact >= 0 ? [exact] : alike.length === 1 ? alike : []
    const thing = thingOf(want)
    if (only !== undefined) found.workers.push(only)
    else if (isAtHand(thing, hand)) found.assumptions.push(`${want} is known already: nothing has to be done for it.`)
    else if (offers.for(thing).length > 0) found.things.push(thing)
    else found.unknown.push(want)
  }
  return { ...found, vague: [] }
}

/** A need of anything that goes by this name. */
export const thingOf = (want: string): Need => ({
  path: [want],
  property: want,
  typeId: want,
  names: [normal(want)],
  required: true,
  json: JSON_ANY,
  item: { typeId: want, names: [normal(want)], json: JSON_ANY },
  values: undefined,
  fallback: undefined,
  money: false,
  description: undefined,
  // A keyword that no tool uses keeps it apart from a need of the same type.
  schema: { wanted: true },
  root: {},
  parts: [],
})

const isAtHand = (thing: Need, { knowns }: AtHand): boolean => {
  const names = new Set(namesFor(thing))
  return knowns.some(({ key, from }) => from === 'context' && (key === thing.typeId || names.has(normal(key))))
}
