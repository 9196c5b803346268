/**
 * Texts in which parts differ from call to call: times, ids, random numbers. These parts are replaced by fixed ones of the same kind,
 * so that a document says the same whenever and wherever it is rendered.
 */
import { SAMPLE_DAY, SAMPLE_TIME, SAMPLE_UUID } from '../render/sample-words.ts'

const FIXED = { uuid: SAMPLE_UUID, moment: SAMPLE_TIME, day: SAMPLE_DAY, time: '12:00', number: '42', id: 'a1b2c3' }
type Kind = keyof typeof FIXED | 'word' | 'mark'

const DAY = String.raw`\d{4}-\d{2}-\d{2}`
const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?`
const PARTS = new RegExp(
  [
    '(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})',
    `(?<moment>${DAY}[T ]${CLOCK}(?:Z|[+-]\\d{2}:?\\d{2})?)`,
    `(?<day>${DAY})`,
    `(?<time>${CLOCK})`,
    String.raw`(?<number>\d+(?:\.\d+)?(?![\p{L}\p{N}]))`,
    String.raw`(?<word>\p{L}+(?![\p{L}\p{N}]))`,
    String.raw`(?<id>[\p{L}\p{N}]+)`,
    String.raw`(?<mark>[^\p{L}\p{N}]+)`,
  ].join('|'),
  'giu',
)

const LONG_NUMBER = /^\d{6,}$/

interface Part {
  readonly kind: Kind
  readonly text: string
}

const partsOf = (text: string): Part[] =>
  [...text.matchAll(PARTS)].map(({ 0: part, groups = {} }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) as Kind
    // A random id in hexadecimal may have no letter.
    return { kind: kind === 'number' && LONG_NUMBER.test(part) ? 'id' : kind, text: part }
  })

/** Undefined: the texts have too little in common. A time near `now`, if given, will be another one tomorrow. */
export function stableText(a: string, b: string, now?: number): string | undefined {
  if (a === b && !/\d/.test(a)) return a
  const [left, right] = [partsOf(a), partsOf(b)]
  if (left.length !== right.length) return undefined
  let text = ''
  for (const [index, one] of left.entries()) {
    const part = stablePart(one, right[index] as Part, now)
    if (part === undefined) return undefined
    text += part
  }
  return text
}

function stablePart(a: Part, b: Part, now: number | undefined): string | undefined {
  if (a.text === b.text) return isFixed(a, now) ? a.text : fixed(a.kind)
  if (a.kind === b.kind) return fixed(a.kind)
  // An id may happen to be all digits, or all letters.
  return [a.kind, b.kind].every((kind) => kind === 'id' || kind === 'number' || kind === 'word') ? FIXED.id : undefined
}

/** Words and marks that differ mean another text. */
const fixed = (kind: Kind): string | undefined => (kind === 'word' || kind === 'mark' ? undefined : FIXED[kind])

const isFixed = ({ kind, text }: Part, now: number | undefined): boolean =>
  (kind !== 'moment' && kind !== 'day') || !isNear(Date.parse(text), now)

/** Two days: a time zone may be most of a day away. */
const NEAR_MS = 2 * 86_400_000

const isNear = (time: number, now: number | undefined): boolean => now !== undefined && Math.abs(time - now) < NEAR_MS

/** Whether a number is the present time, in milliseconds or seconds. */
export const isPresentTime = (value: number, now: number | undefined): boolean =>
  isNear(value, now) || isNear(value * 1000, now)

/** The place where somebody's files are says nothing to a reader. */
export const PLACE = '/path/to'

export const withoutPlaces = (text: string, places: readonly string[]): string =>
  places.reduce((rest, place) => (place.length > 1 ? rest.replaceAll(place, PLACE) : rest), text)
