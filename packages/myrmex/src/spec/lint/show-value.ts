/** Values of a document as they appear in messages: always short. */

import { isObject } from '../../protocol/json.ts'
import { fit } from '../../protocol/text.ts'

const MAX_LENGTH = 80

export const clipped = (text: string, longest = MAX_LENGTH): string => fit(text, longest)

export const quoteText = (text: string): string => JSON.stringify(clipped(text))

/** Any value as JSON. A deeply nested one is only named, because writing it out could overflow the stack. */
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

/** More than anything that is written for readers. */
const MAX_DEPTH = 100

/** Not recursive: it protects code that is. */
export function isTooDeep(value: unknown, deepest = MAX_DEPTH): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap((one) => (Array.isArray(one) ? one : isObject(one) ? Object.values(one) : []))
  }
  return false
}
