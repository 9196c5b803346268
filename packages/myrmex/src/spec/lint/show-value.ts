/** Values of a document as they stand in a message: never long, however large they are. */
import { isObject } from '../../protocol/json.ts'

const LONGEST = 80

export const clipped = (text: string, longest = LONGEST): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text

/** A text in quotation marks. */
export const quoteText = (text: string): string => JSON.stringify(clipped(text))

/** Any value, as JSON. What is nested deep is only named: writing it out would take a stack as deep. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return quoteText(value)
  if (isTooDeep(value)) return Array.isArray(value) ? 'a list' : 'an object'
  return clipped(JSON.stringify(value))
}

/** A path as a person names it: `address.city`, `lines[0].sku`. */
export function showPath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step)}`
  return clipped(text)
}

/** Nothing that somebody wrote to be read is nested deeper. */
const DEEPEST = 100

/** Without recursion: it is asked before anything that would recurse. */
export function isTooDeep(value: unknown, deepest = DEEPEST): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap((one) => (Array.isArray(one) ? one : isObject(one) ? Object.values(one) : []))
  }
  return false
}
