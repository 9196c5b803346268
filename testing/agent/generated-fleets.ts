/** Generated fleets: tools that need and give things, with several makers of a thing, circles, dead ends and distractors. */
import fc from 'fast-check'
import type { ToolStatistics, ToolView } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import type { JsonObject } from '../../packages/myrmex/src/protocol/json.ts'
import { listOf, number, objectOf, text, view } from './shop-tools.ts'

/** A tool without its schemas: which things it needs and gives. */
export interface Maker {
  readonly name: string
  readonly needs: readonly number[]
  readonly gives: readonly number[]
  readonly destructive: boolean
}

export interface GeneratedFleet {
  readonly makers: readonly Maker[]
  readonly tools: readonly ToolView[]
  readonly known: readonly number[]
  readonly wantTools: readonly number[]
  readonly wantThings: readonly number[]
  readonly learned: ReadonlyMap<string, ToolStatistics>
}

const THINGS = ['apple', 'brick', 'cloud', 'drum', 'eagle', 'flute', 'grape', 'house', 'igloo', 'jacket']
export const thing = (index: number): string =>
  `${THINGS[index % THINGS.length]}_${Math.floor(index / THINGS.length)}_ref`
/** Every other thing is a number, so that names alone are not enough to fit. */
const kindOf = (index: number, typeId?: string): JsonObject => (index % 2 === 0 ? text(typeId) : number(typeId))
export const sampleOf = (index: number): unknown => (index % 2 === 0 ? `the ${thing(index)}` : index)

/** Where in the output a field stands. */
type Nesting = 'plain' | 'inside' | 'list'

const nested = (field: string, schema: JsonObject, nesting: Nesting, place: number): [string, JsonObject] => {
  if (nesting === 'inside') return [`part_of_${place}`, objectOf({ [field]: schema })]
  return nesting === 'list' ? [`rows_of_${place}`, listOf(objectOf({ [field]: schema }))] : [field, schema]
}

/** With `byType` the properties have names that say nothing, and only `type_id` tells what they are. */
export function toolOf(maker: Maker, byType: boolean, nestings: readonly Nesting[]): ToolView {
  const schema = (index: number): JsonObject => kindOf(index, byType ? thing(index) : undefined)
  const needs = maker.needs.map((index) => [byType ? `in_${index}` : thing(index), schema(index)])
  const gives = maker.gives.map((index, place) =>
    nested(
      byType ? `out_${index}_${place}` : thing(index),
      schema(index),
      nestings[place % nestings.length] ?? 'plain',
      place,
    ),
  )
  const noise = [['noise_at_random', text()]]
  return view(maker.name, Object.fromEntries(needs), Object.fromEntries([...gives, ...noise]), {
    destructive: maker.destructive,
  })
}

const makerOf = (things: number) =>
  fc.record({
    needs: fc.uniqueArray(fc.nat(things - 1), { maxLength: 3 }),
    gives: fc.uniqueArray(fc.nat(things - 1), { minLength: 1, maxLength: 3 }),
    destructive: fc.boolean(),
    calls: fc.nat(20),
    mean_ms: fc.nat(1000),
    nestings: fc.array(fc.constantFrom<Nesting>('plain', 'inside', 'list'), { minLength: 1, maxLength: 3 }),
  })

export interface Sizes {
  readonly things: number
  readonly tools: number
}

export const anyFleet = ({ things, tools }: Sizes): fc.Arbitrary<GeneratedFleet> =>
  fc
    .record({
      drafts: fc.array(makerOf(things), { minLength: 1, maxLength: tools }),
      known: fc.uniqueArray(fc.nat(things - 1), { maxLength: 3 }),
      byType: fc.boolean(),
      goals: fc.uniqueArray(fc.nat(tools - 1), { minLength: 1, maxLength: 2 }),
      ends: fc.uniqueArray(fc.nat(things - 1), { maxLength: 2 }),
      names: fc.shuffledSubarray([...'abcdefghijklmnopqrstuvwxyz'], { minLength: tools, maxLength: tools }),
    })
    .map(({ drafts, known, byType, goals, ends, names }) => {
      const makers = drafts.map((draft, index) => ({ ...draft, name: `${names[index]}.make_${names[index]}` }))
      const given = new Set(makers.flatMap(({ gives }) => gives))
      return {
        makers,
        tools: makers.map((maker) => toolOf(maker, byType, maker.nestings)),
        known,
        wantTools: [...new Set(goals.map((goal) => goal % makers.length))],
        wantThings: ends.filter((end) => given.has(end) && !known.includes(end)),
        learned: new Map(
          makers.map(({ name, calls, mean_ms }) => [name, { calls, failures: Math.floor(calls / 3), mean_ms }]),
        ),
      }
    })

/** A fleet in which each tool of a row needs only what is known or what those before it give; the rest is there to mislead. */
export const solvableFleet = (sizes: Sizes): fc.Arbitrary<GeneratedFleet> =>
  fc.tuple(anyFleet(sizes), fc.infiniteStream(fc.nat(1000)), fc.boolean()).map(([fleet, picks, byType]) => {
    const there = new Set(fleet.known)
    const row = fleet.makers.slice(0, Math.ceil(fleet.makers.length / 2)).map((maker) => {
      const choice = [...there]
      const needs =
        choice.length === 0 ? [] : maker.needs.map(() => choice[(picks.next().value ?? 0) % choice.length] ?? 0)
      for (const index of maker.gives) there.add(index)
      return { ...maker, needs: [...new Set(needs)] }
    })
    const makers: Maker[] = [...row, ...fleet.makers.slice(row.length)]
    return {
      ...fleet,
      makers,
      tools: makers.map((maker) => toolOf(maker, byType, ['plain', 'list', 'inside'])),
      wantTools: [row.length - 1],
      wantThings: [],
    }
  })
