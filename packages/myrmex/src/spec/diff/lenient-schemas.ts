/**
 * Prepares schemas for comparison, because the specification counts an added optional parameter and an added output field as
 * compatible, although both can break containment.
 *
 * - Input: callers have not sent names that only the new schema declares, unless the old one left names open.
 * - Output: readers ignore names that the old schema does not declare, even if it is closed.
 * - Choices that differ by a constant are compared one by one.
 */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { withoutChoice } from './choice-steps.ts'
import type { ValueLocation, ValueLocations } from './value-locations.ts'

type Replaced = Map<object, JsonObject>

/**
 * The new input schema, in which what it says about a name that the old one never spoke of does not count. A node that
 * speaks of several places (a shared schema) is changed only where the name is new in all of them.
 */
export function withoutNewNames(schema: JsonObject, before: ValueLocations, after: ValueLocations): JsonObject {
  const replaced: Replaced = new Map()
  if (!recurAlike(before, after)) return schema
  for (const [node, places] of after.byNode) {
    const { properties } = node as Record<string, unknown>
    if (!isObject(properties)) continue
    const unheard = Object.keys(properties).filter((name) =>
      [...places].every((place) => !isKnown(before, place, name)),
    )
    if (unheard.length > 0)
      replaced.set(node, { ...(node as JsonObject), properties: entered(properties as JsonObject, unheard, true) })
  }
  return rewritten(schema, replaced)
}

/**
 * The old output schema, in which a closed object is open to names that the schema declares nowhere at that place. Those
 * that it declares beside (in another choice, say) stay closed out, so that choices stay distinguishable.
 */
export function openToNewNames(schema: JsonObject, before: ValueLocations, after: ValueLocations): JsonObject {
  const replaced: Replaced = new Map()
  for (const [node, places] of before.byNode) {
    const opened = openedNode(node as JsonObject, places, before, after)
    if (opened !== undefined) replaced.set(node, opened)
  }
  return rewritten(schema, replaced)
}

function openedNode(
  node: JsonObject,
  places: ReadonlySet<string>,
  before: ValueLocations,
  after: ValueLocations,
): JsonObject | undefined {
  if ([...places].some((place) => isWeighed(before, place))) return undefined
  const own = isObject(node.properties) ? (node.properties as JsonObject) : {}
  const closed = node.additionalProperties === false
  if (closed && !isObject(node.patternProperties)) {
    const { additionalProperties: _, ...open } = node
    const elsewhere = [...places]
      .flatMap((place) => saidOf(before, place).flatMap(namesAt))
      .filter((name) => !Object.hasOwn(own, name))
    return { ...open, properties: entered(own, elsewhere, false) }
  }
  if ((!closed && node.unevaluatedProperties !== false) || !recurAlike(before, after)) return undefined
  // Names evaluated elsewhere are unknown here, so only new names are allowed.
  const come = [...places]
    .flatMap((place) => saidOf(after, place).flatMap(({ properties }) => [...properties.keys()]))
    .filter((name) => [...places].every((place) => !isKnown(before, place, name)))
  return come.length === 0 ? undefined : { ...node, properties: entered(own, come, true) }
}

/** All that is said of a place. Of one within a choice: what the choice says, and what is said in every one. */
function saidOf({ byLocation, outsideChoices }: ValueLocations, place: string): ValueLocation[] {
  const plain = withoutChoice(place)
  const said =
    byLocation.has(place) && place !== plain
      ? [byLocation.get(place), outsideChoices.get(plain)]
      : [byLocation.get(plain)]
  return said.filter((one) => one !== undefined)
}

/** Whether callers may have used a name: it is spoken of, or its place leaves the names to them. */
function isKnown(locations: ValueLocations, place: string, name: string): boolean {
  const said = saidOf(locations, place)
  if (!said.some(({ listed }) => listed) || said.some(({ map, exact }) => map || exact)) return true
  if (above(locations, place).some(saysMore)) return true
  return said.some(({ properties, mentioned }) => properties.has(name) || mentioned.has(name))
}

/** Whether a name more or less changes what is said of the object as a whole, so that a reader cannot just ignore it. */
function isWeighed(locations: ValueLocations, place: string): boolean {
  const said = saidOf(locations, place)
  if (said.length === 0 || said.some(({ counted, map, exact }) => counted || map || exact)) return true
  return above(locations, place).some((one) => saysMore(one) || one.unique)
}

/** It speaks of what is below it twice, by name and by a rule for others, or names it as a whole: then neither says it all. */
const saysMore = ({ map, listed, exact }: ValueLocation): boolean => (map && listed) || exact

/** The places that a place is in. */
function above(locations: ValueLocations, place: string): ValueLocation[] {
  const found: ValueLocation[] = []
  for (let end = place.lastIndexOf('/'); end !== -1; end = end === 0 ? -1 : place.lastIndexOf('/', end - 1)) {
    found.push(...saidOf(locations, place.slice(0, end)))
  }
  return found
}

/** Only where both hold themselves at the same places is it known that they go on alike below. */
const recurAlike = (before: ValueLocations, after: ValueLocations): boolean =>
  before.recursions.size === after.recursions.size &&
  [...before.recursions].every(([place, first]) => after.recursions.get(place) === first)

const namesAt = ({ properties, mentioned }: ValueLocation): string[] => [...properties.keys(), ...mentioned]

/** The properties, with these names added or replaced. */
const entered = (properties: JsonObject, names: readonly string[], as: boolean): JsonObject =>
  Object.fromEntries([...Object.entries(properties), ...names.map((name) => [name, as])]) as JsonObject

/** A copy with these nodes in the place of theirs; what is below them is copied, too. */
function rewritten(schema: JsonObject, replaced: Replaced): JsonObject {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(replaced.get(value) ?? value).map(([key, child]) => [key, copy(child)]))
  }
  return replaced.size === 0 ? schema : (copy(schema) as JsonObject)
}
