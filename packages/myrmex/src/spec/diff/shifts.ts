/**
 * What a caller relies on that no schema check sees: a name that is described, the default of a parameter, that a value is kept
 * secret. Compared place by place, so that it does not matter how either schema is written.
 */
import { canonical } from '../../protocol/canonical.ts'
import type { Difference } from '../../tool/difference/difference.ts'
import { labelOf, type Place } from '../../tool/difference/place.ts'
import { summary } from '../../tool/difference/properties.ts'
import { change } from '../../tool/difference/shown.ts'
import { plainOf } from './choices.ts'
import type { Location, Locations } from './locations.ts'
import { locationAt, member, others } from './steps.ts'

export interface Shift {
  readonly what: 'removed' | 'default' | 'secret'
  readonly location: string
  /** the last step of the location, for a difference in a shared schema, which has no location of its own */
  readonly name: string
  readonly before: unknown
  readonly after: unknown
  /** the difference as it would be told if nothing else tells it */
  readonly told: Difference
  /** the release before said `deprecated` of it */
  readonly announced: boolean
  /** of a removal: it was there only with one of several choices */
  readonly chosen: boolean
}

export function shiftsBetween(before: Locations, after: Locations, side: Place): Shift[] {
  const shifts: Shift[] = []
  const split = splitIn(before, after)
  for (const [key, old] of before.at) {
    const now = after.at.get(key)
    const plain = plainOf(key)
    // Where a schema goes round in itself, the place it goes back to is compared.
    if (now === undefined || before.cuts.has(plain) || after.cuts.has(plain)) continue
    if (!split.has(key)) shifts.push(...removals(key, old, now, before, side), ...settings(key, old, now, side))
  }
  return onceEach(shifts)
}

/** What is said of the whole is not said again of each choice, unless it is only that one of the choices has gone. */
function onceEach(shifts: readonly Shift[]): Shift[] {
  const isWhole = ({ location }: Shift): boolean => location === plainOf(location)
  const within = new Set(shifts.filter((shift) => !isWhole(shift) && !shift.chosen).map(signOf))
  const kept = shifts.filter((shift) => !(isWhole(shift) && shift.chosen && within.has(signOf(shift))))
  const whole = new Set(kept.filter(isWhole).map(signOf))
  return kept.filter((shift) => isWhole(shift) || !whole.has(signOf(shift)))
}

const signOf = ({ what, location }: Shift): string => `${what} ${plainOf(location)}`

/** Places of which only choices speak that are all there still: each of them is compared by itself, and that is all. */
function splitIn(before: Locations, after: Locations): Set<string> {
  const split = new Set<string>()
  const kept = [...before.at.keys()].filter((key) => key !== plainOf(key))
  for (const key of kept)
    if (!before.beside.has(plainOf(key)) && !after.beside.has(plainOf(key))) split.add(plainOf(key))
  for (const key of kept) if (!after.at.has(key)) split.delete(plainOf(key))
  return split
}

function removals(key: string, old: Location, now: Location, before: Locations, side: Place): Shift[] {
  // Names that a pattern or a rest describes are there still; whether they are taken as before is for containment to say.
  if (now.map) return []
  const rest = old.map && now.listed && !now.open ? restOf(key, before, side) : []
  const gone = [...old.properties].filter(([name]) => !now.properties.has(name))
  const listed = gone.map(([name, schema]): Shift => {
    const location = member(key, name)
    const known = before.at.get(location)
    const place = placeOf(known ?? old, side)
    const text = `${labelOf(place)} removed (was ${summary(schema, old.mentioned.has(name))})`
    const announced = known?.deprecated === true
    const told: Difference = { text, path: place.path, how: 'removed', before: schema, after: undefined }
    const chosen = !old.certain.has(name)
    return { what: 'removed', location, name, before: schema, after: undefined, told, announced, chosen }
  })
  return [...listed, ...rest]
}

/** Names that only a rule described: whoever sends some finds them passed over without a word. */
function restOf(key: string, before: Locations, side: Place): Shift[] {
  const location = others(key)
  const known = before.at.get(location)
  if (known === undefined) return []
  const place = placeOf(known, side)
  const text = `${labelOf(place)} removed: names that are not listed are no longer described`
  const told: Difference = { text, path: place.path, how: 'removed', before: undefined, after: undefined }
  const announced = known.deprecated
  return [{ what: 'removed', location, name: '*', before: undefined, after: undefined, told, announced, chosen: true }]
}

function settings(key: string, old: Location, now: Location, side: Place): Shift[] {
  const place = placeOf(now, side)
  const shift = (what: Shift['what'], before: unknown, after: unknown, text: string): Shift => ({
    what,
    location: key,
    name: lastOf(key),
    before,
    after,
    told: { text: `${labelOf(place)}${text}`, path: place.path, how: 'changed', before, after },
    announced: false,
    chosen: false,
  })
  const [was, is] = [defaultOf(old), defaultOf(now)]
  const shifts = canonical(was) === canonical(is) ? [] : [shift('default', was, is, `: default ${change(was, is)}`)]
  if (old.secret === now.secret) return shifts
  return [...shifts, shift('secret', old.secret, now.secret, now.secret ? ' is now secret' : ' is no longer secret')]
}

/** Several may be said of one place, in choices; then all of them count. */
const defaultOf = ({ defaults }: Location): unknown => {
  const all = [...defaults].sort().map((text) => JSON.parse(text))
  return all.length > 1 ? all : all[0]
}

const placeOf = ({ name, path }: Location, side: Place): Place => ({ ...side, name, path: [...side.path, ...path] })

const lastOf = (location: string): string => location.slice(location.lastIndexOf('/') + 1)

/** Whether a difference that was told is this shift. */
export function isToldBy(shift: Shift, { schema, path, before, after }: Difference, side: Place): boolean {
  if (schema === undefined) return false
  const location = locationAt(schema.place.path.slice(side.path.length))
  if (location !== undefined) return location === plainOf(shift.location)
  // A shared schema speaks of many places; it is the same shift if the same came of it.
  if (shift.what === 'removed') return String(path.at(-1)) === shift.name
  if (shift.what === 'secret') return (after === true) === shift.after
  return canonical(before) === canonical(shift.before) && canonical(after) === canonical(shift.after)
}
