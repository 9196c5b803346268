/**
 * Changes a valid value in a few places: structure-aware, so that most of what comes out gets past the first check. The same random
 * numbers give the same result.
 */
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { type Json, ODD_KEYS, oddText, oddValue, withMember } from './odd-values.ts'

type Container = Record<string, Json> | Json[]

interface Place {
  readonly holder: Container
  readonly key: string
}

/** Every member of every object and list in it. */
function placesIn(value: Json, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push({ holder: value as Container, key })
    placesIn((value as Record<string, Json>)[key], found)
  }
  return found
}

const get = ({ holder, key }: Place): Json => (holder as Record<string, Json>)[key]
const set = ({ holder, key }: Place, value: Json): void => void withMember(holder, key, value)

/** A list may get this many copies of one of its items. */
const COPIES = [2, 3, 10, 500]

const MUTATIONS: readonly ((place: Place, random: SeededRandom, all: readonly Place[]) => void)[] = [
  (place, random) => set(place, oddValue(random)),
  (place, random) => set(place, oddValue(random)),
  (place, random) => set(place, otherType(get(place), random)),
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  },
  // One more member, beside it.
  ({ holder }, random) => {
    if (Array.isArray(holder)) holder.push(oddValue(random))
    else withMember(holder, random.often(0.7) ? random.pick(ODD_KEYS) : oddText(random), oddValue(random))
  },
  // Copies of it.
  (place, random) => {
    const { holder } = place
    if (!Array.isArray(holder)) return set(place, [get(place), get(place)])
    const count = random.pick(COPIES)
    for (let copy = 0; copy < count; copy++) holder.push(structuredClone(get(place)))
  },
  // The value of another place.
  (place, random, all) => set(place, structuredClone(get(random.pick(all)))),
  // Under another name.
  ({ holder, key }, random) => {
    if (Array.isArray(holder)) return
    const value = holder[key]
    delete holder[key]
    withMember(holder, random.often(0.5) ? random.pick(ODD_KEYS) : key.toUpperCase(), value)
  },
  (place, random) => {
    const value = get(place)
    if (typeof value === 'string') set(place, garbled(value, random))
    else if (typeof value === 'number') set(place, value + random.pick([1, -1, 0.5, 2 ** 53]))
    else set(place, [value])
  },
]

function otherType(value: Json, random: SeededRandom): Json {
  switch (typeof value) {
    case 'string':
      return random.pick<Json>([value.length, [value], { value }, null, true])
    case 'number':
      return random.pick<Json>([String(value), [value], null, false])
    case 'boolean':
      return random.pick<Json>([String(value), value ? 1 : 0, null])
    default:
      return random.pick<Json>([JSON.stringify(value) ?? '', [value], null, 1])
  }
}

/** A text that is nearly the same. */
export function garbled(text: string, random: SeededRandom): string {
  const at = random.between(0, text.length)
  switch (random.between(0, 5)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return `${text.slice(0, at)}${oddText(random)}${text.slice(at)}`
    case 2:
      return text.slice(0, at) + text.slice(at + 1)
    case 3:
      return text + text
    case 4:
      return text.toUpperCase()
    default:
      return text.slice(0, at) + String.fromCharCode(random.between(0, 0xffff)) + text.slice(at + 1)
  }
}

const MOST_PLACES = 2000

/** A copy with `times` changes. */
export function mutated<T>(value: T, random: SeededRandom, times: number): Json {
  const root = { value: structuredClone(value) as Json }
  for (let done = 0; done < times; done++) {
    const all = placesIn(root)
    // Everything was taken away, or it is large enough.
    if (all.length === 0 || all.length > MOST_PLACES) break
    const place = random.pick(all)
    random.pick(MUTATIONS)(place, random, all)
  }
  return root.value
}
