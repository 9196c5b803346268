/**
 * Changes that validation does not notice but callers do: a described name that is gone, another default, a secret that no longer
 * is one. They are compared by location, independent of how the schemas are written.
 */
import { canonical } from '../../protocol/canonical.ts'
import type { Difference } from '../../tool/difference/difference.ts'
import { formatChange } from '../../tool/difference/format.ts'
import { propertySummary } from '../../tool/difference/property-differences.ts'
import { labelOf, type SchemaLocation } from '../../tool/difference/schema-location.ts'
import { withoutChoice } from './choice-steps.ts'
import { locationAt, memberStep, othersStep } from './location-steps.ts'
import type { ValueLocation, ValueLocations } from './value-locations.ts'

export interface SilentChange {
  readonly what: 'removed' | 'default' | 'secret'
  readonly location: string
  /** of a removal: what was removed, for a difference in a shared schema, which has no location of its own */
  readonly name?: string
  /** how it is reported if no other difference reports it */
  readonly difference: Difference
  /** the release before said `deprecated` of it */
  readonly announced: boolean
  /** of a removal: it was there only with one of several choices */
  readonly inChoice: boolean
}

export function silentChanges(before: ValueLocations, after: ValueLocations, side: SchemaLocation): SilentChange[] {
  const shifts: SilentChange[] = []
  const split = splitIn(before, after)
  for (const [key, old] of before.byLocation) {
    const now = after.byLocation.get(key)
    const plain = withoutChoice(key)
    // Where a schema goes round in itself, the place it goes back to is compared.
    if (now === undefined || before.recursions.has(plain) || after.recursions.has(plain)) continue
    if (!split.has(key)) shifts.push(...removals(key, old, now, before, side), ...settings(key, old, now, side))
  }
  return onceEach(shifts)
}

/** A change of the whole is not repeated for each choice, unless only one of the choices is gone. */
function onceEach(shifts: readonly SilentChange[]): SilentChange[] {
  const isWhole = ({ location }: SilentChange): boolean => location === withoutChoice(location)
  const within = new Set(shifts.filter((shift) => !isWhole(shift) && !shift.inChoice).map(signOf))
  const kept = shifts.filter((shift) => !(isWhole(shift) && shift.inChoice && within.has(signOf(shift))))
  const whole = new Set(kept.filter(isWhole).map(signOf))
  return kept.filter((shift) => isWhole(shift) || !whole.has(signOf(shift)))
}

const signOf = ({ what, location }: SilentChange): string => `${what} ${withoutChoice(location)}`

/** Places of which only choices speak that are all there still: each of them is compared by itself, and that is all. */
function splitIn(before: ValueLocations, after: ValueLocations): Set<string> {
  const split = new Set<string>()
  const kept = [...before.byLocation.keys()].filter((key) => key !== withoutChoice(key))
  for (const key of kept)
    if (!before.outsideChoices.has(withoutChoice(key)) && !after.outsideChoices.has(withoutChoice(key)))
      split.add(withoutChoice(key))
  for (const key of kept) if (!after.byLocation.has(key)) split.delete(withoutChoice(key))
  return split
}

function removals(
  key: string,
  old: ValueLocation,
  now: ValueLocation,
  before: ValueLocations,
  side: SchemaLocation,
): SilentChange[] {
  // Names that a pattern or a rest describes are there still; whether they are taken as before is for containment to say.
  if (now.map) return []
  const rest = old.map && now.listed && !now.open ? restOf(key, before, side) : []
  const gone = [...old.properties].filter(([name]) => !now.properties.has(name))
  const listed = gone.map(([name, schema]): SilentChange => {
    const location = memberStep(key, name)
    const known = before.byLocation.get(location)
    const text = ` removed (was ${propertySummary(schema, old.mentioned.has(name))})`
    const marks = { name, announced: known?.deprecated === true, inChoice: !old.certain.has(name) }
    return change('removed', location, placeOf(known ?? old, side), text, schema, undefined, marks)
  })
  return [...listed, ...rest]
}

function change(
  what: SilentChange['what'],
  location: string,
  place: SchemaLocation,
  text: string,
  before: unknown,
  after: unknown,
  marks: Partial<Pick<SilentChange, 'name' | 'announced' | 'inChoice'>> = {},
): SilentChange {
  const kind = what === 'removed' ? 'removed' : 'changed'
  const difference: Difference = { text: `${labelOf(place)}${text}`, path: place.path, kind, before, after }
  return { what, location, difference, announced: false, inChoice: false, ...marks }
}

/** Names that only a rule described: the tool now ignores them silently. */
function restOf(key: string, before: ValueLocations, side: SchemaLocation): SilentChange[] {
  const location = othersStep(key)
  const known = before.byLocation.get(location)
  if (known === undefined) return []
  const text = ' removed: names that are not listed are no longer described'
  const marks = { name: '*', announced: known.deprecated, inChoice: true }
  return [change('removed', location, placeOf(known, side), text, undefined, undefined, marks)]
}

function settings(key: string, old: ValueLocation, now: ValueLocation, side: SchemaLocation): SilentChange[] {
  const place = placeOf(now, side)
  const changes: SilentChange[] = []
  const [was, is] = [defaultOf(old), defaultOf(now)]
  if (canonical(was) !== canonical(is)) {
    changes.push(change('default', key, place, `: default ${formatChange(was, is)}`, was, is))
  }
  if (old.secret !== now.secret) {
    const text = now.secret ? ' is now secret' : ' is no longer secret'
    changes.push(change('secret', key, place, text, old.secret, now.secret))
  }
  return changes
}

/** Several may be said of one place, in choices; then all of them count. */
const defaultOf = ({ defaults }: ValueLocation): unknown => {
  const all = [...defaults].sort().map((text) => JSON.parse(text))
  return all.length > 1 ? all : all[0]
}

const placeOf = ({ name, path }: ValueLocation, side: SchemaLocation): SchemaLocation => ({
  ...side,
  name,
  path: [...side.path, ...path],
})

/** Whether a reported difference is this change. */
export function isReportedBy(
  shift: SilentChange,
  { schema, path, before, after }: Difference,
  side: SchemaLocation,
): boolean {
  if (schema === undefined) return false
  const location = locationAt(schema.place.path.slice(side.path.length))
  if (location !== undefined) return location === withoutChoice(shift.location)
  // A shared schema speaks of many places; it is the same shift if the same came of it.
  if (shift.what === 'removed') return String(path.at(-1)) === shift.name
  const { before: was, after: is } = shift.difference
  if (shift.what === 'secret') return (after === true) === is
  return canonical(before) === canonical(was) && canonical(after) === canonical(is)
}
