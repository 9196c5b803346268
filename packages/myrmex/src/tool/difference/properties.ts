/** Properties that came, went or became required, and what changed in those that stayed. */
import { isObject } from '../../protocol/json.ts'
import { kindOf, labelOf, type Node, type Place } from './place.ts'
import { named, quoted, same } from './shown.ts'
import { namesOf, own, valueDifferences } from './value.ts'

/** What changed in a property that stayed. */
type Deeper = (before: unknown, after: unknown, place: Place) => string[]

export function properties(before: Node, after: Node, place: Place, deeper: Deeper): string[] {
  const [a, b] = [before.properties ?? {}, after.properties ?? {}]
  const asTheyAre = (key: string): string[] => valueDifferences(own(before, key), own(after, key), [...place.path, key])
  if (!isObject(a) || !isObject(b)) return [...asTheyAre('properties'), ...asTheyAre('required')]
  const names: Names = { known: namesOf(a, b), was: requiredOf(before), is: requiredOf(after) }
  const lines = names.known.flatMap((name) =>
    property(name, [own(a, name), own(b, name)], names, below(place, name), deeper),
  )
  const required = unlisted(before, after, names, place)
  return [
    // There may be a difference without anything to tell, as between no properties and an empty list of them.
    ...(lines.length > 0 ? lines : asTheyAre('properties')),
    ...(required ?? asTheyAre('required')),
  ]
}

interface Names {
  /** properties of either side */
  readonly known: readonly string[]
  /** those required before */
  readonly was: ReadonlySet<string>
  /** those required now */
  readonly is: ReadonlySet<string>
}

function property(
  name: string,
  [before, after]: [unknown, unknown],
  { was, is }: Names,
  place: Place,
  deeper: Deeper,
): string[] {
  const label = labelOf(place)
  if (before === undefined) return [`${label} added (${summary(after, is.has(name))})${says(after)}`]
  if (after === undefined) return [`${label} removed (was ${summary(before, was.has(name))})`]
  const lines = was.has(name) === is.has(name) ? [] : [`${label} is ${is.has(name) ? 'now' : 'no longer'} required`]
  return [...lines, ...deeper(before, after, place)]
}

const requiredOf = ({ required }: Node): ReadonlySet<string> =>
  new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])

function below(place: Place, name: string): Place {
  return {
    ...place,
    name: place.name === '' ? named(name) : `${place.name}.${named(name)}`,
    path: [...place.path, 'properties', name],
  }
}

const summary = (schema: unknown, required: boolean): string =>
  `${required ? 'required' : 'optional'} ${kindOf(schema)}`

const says = (schema: unknown): string =>
  isObject(schema) && typeof schema.description === 'string' ? `: ${quoted(schema.description)}` : ''

/** What `required` says of names that are no properties; undefined where it says nothing more. */
function unlisted(before: Node, after: Node, { known, was, is }: Names, place: Place): string[] | undefined {
  const lists = [before.required ?? [], after.required ?? []]
  if (!lists.every((list) => Array.isArray(list) && list.every((name) => typeof name === 'string'))) {
    return valueDifferences(before.required, after.required, [...place.path, 'required'])
  }
  if (same(before.required, after.required)) return []
  const label = labelOf(place)
  const added = [...is].filter((name) => !was.has(name))
  const removed = [...was].filter((name) => !is.has(name))
  if (added.length === 0 && removed.length === 0) {
    return was.size > 0 ? [`${label}: the required ones are listed in another order or number`] : undefined
  }
  const rest = (names: string[]): string[] => names.filter((name) => !known.includes(name)).map(named)
  return [
    ...rest(added).map((name) => `${label}: ${name} is now required, though nothing describes it`),
    ...rest(removed).map((name) => `${label}: ${name} is no longer required`),
  ]
}
