/** The fallback: compares two values of any shape, location by location. */
import { isObject } from '../../protocol/json.ts'
import { type Difference, newDifference } from './difference.ts'
import { formatChange, formatValue, isSameValue } from './format.ts'
import { placeInWords } from './place-in-words.ts'

type Path = readonly PropertyKey[]

export function valueDifferences(before: unknown, after: unknown, path: Path): Difference[] {
  if (isSameValue(before, after)) return []
  const where = placeInWords(path)
  const describe = (text: string): Difference[] => [newDifference(text, path, before, after)]
  if (before === undefined) return describe(`${where} added: ${formatValue(after)}`)
  if (after === undefined) return describe(`${where} removed (was ${formatValue(before)})`)
  const parts = partsOf(before, after)
  if (parts === undefined || path.length > MAX_DEPTH) return describe(`${where}: ${formatChange(before, after)}`)
  return parts.flatMap(([key, a, b]) => valueDifferences(a, b, [...path, key]))
}

const MAX_DEPTH = 50

function partsOf(before: unknown, after: unknown): [PropertyKey, unknown, unknown][] | undefined {
  if (isObject(before) && isObject(after)) {
    return namesOf(before, after).map((name) => [name, ownValue(before, name), ownValue(after, name)])
  }
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return undefined
  return before.map((item, index) => [index, item, after[index]])
}

export const namesOf = (before: object, after: object): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
]

export const ownValue = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
