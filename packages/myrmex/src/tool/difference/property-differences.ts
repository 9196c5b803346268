/** Properties that were added, removed or became required, and changes in the others. */
import { isObject } from '../../protocol/json.ts'
import { type Difference, newDifference } from './difference.ts'
import { formatName, isSameValue, quoteText } from './format.ts'
import { labelOf, type SchemaLocation, type SchemaNode, schemaLabel } from './schema-location.ts'
import { namesOf, ownValue, valueDifferences } from './value-differences.ts'

/** The differences within a property that both sides have. */
type DiffSchemas = (before: unknown, after: unknown, place: SchemaLocation) => Difference[]

export function propertyDifferences(
  before: SchemaNode,
  after: SchemaNode,
  place: SchemaLocation,
  deeper: DiffSchemas,
): Difference[] {
  const [a, b] = [before.properties ?? {}, after.properties ?? {}]
  const asTheyAre = (keyword: string): Difference[] =>
    valueDifferences(ownValue(before, keyword), ownValue(after, keyword), [...place.path, keyword]).map((one) => ({
      ...one,
      schema: { place, keyword },
    }))
  if (!isObject(a) || !isObject(b)) return [...asTheyAre('properties'), ...asTheyAre('required')]
  const names: Names = { known: namesOf(a, b), was: requiredOf(before), is: requiredOf(after) }
  const lines = names.known.flatMap((name) =>
    property(name, [ownValue(a, name), ownValue(b, name)], names, below(place, name), deeper),
  )
  const required = unlisted(before, after, names, place)
  return [
    // Differences without a description remain, such as between no properties and an empty object.
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
  place: SchemaLocation,
  deeper: DiffSchemas,
): Difference[] {
  const label = labelOf(place)
  const describe = (text: string): Difference =>
    newDifference(text, place.path, before, after, { place, keyword: 'properties' })
  if (before === undefined) return [describe(`${label} added (${propertySummary(after, is.has(name))})${says(after)}`)]
  if (after === undefined) return [describe(`${label} removed (was ${propertySummary(before, was.has(name))})`)]
  const kind = is.has(name) ? 'required' : 'optional'
  const line = { ...describe(`${label} is ${is.has(name) ? 'now' : 'no longer'} required`), kind } as const
  return [...(was.has(name) === is.has(name) ? [] : [line]), ...deeper(before, after, place)]
}

const requiredOf = ({ required }: SchemaNode): ReadonlySet<string> =>
  new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])

function below(place: SchemaLocation, name: string): SchemaLocation {
  return {
    ...place,
    name: place.name === '' ? formatName(name) : `${place.name}.${formatName(name)}`,
    path: [...place.path, 'properties', name],
  }
}

export const propertySummary = (schema: unknown, required: boolean): string =>
  `${required ? 'required' : 'optional'} ${schemaLabel(schema)}`

const says = (schema: unknown): string =>
  isObject(schema) && typeof schema.description === 'string' ? `: ${quoteText(schema.description)}` : ''

/** Changes in `required` of names that are no properties; undefined if the lists must be shown as they are. */
function unlisted(
  before: SchemaNode,
  after: SchemaNode,
  { known, was, is }: Names,
  place: SchemaLocation,
): Difference[] | undefined {
  const lists = [before.required ?? [], after.required ?? []]
  if (!lists.every((list) => Array.isArray(list) && list.every((name) => typeof name === 'string'))) {
    return undefined
  }
  if (isSameValue(before.required, after.required)) return []
  const label = labelOf(place)
  const describe = (text: string, how: Difference['kind']): Difference => ({
    ...newDifference(text, [...place.path, 'required'], before.required, after.required, {
      place,
      keyword: 'required',
    }),
    kind: how,
  })
  const added = [...is].filter((name) => !was.has(name))
  const removed = [...was].filter((name) => !is.has(name))
  if (added.length === 0 && removed.length === 0) {
    return was.size > 0
      ? [describe(`${label}: the required ones are listed in another order or number`, 'order')]
      : undefined
  }
  const rest = (names: string[]): string[] => names.filter((name) => !known.includes(name)).map(formatName)
  return [
    ...rest(added).map((name) =>
      describe(`${label}: ${name} is now required, though nothing describes it`, 'required'),
    ),
    ...rest(removed).map((name) => describe(`${label}: ${name} is no longer required`, 'optional')),
  ]
}
