/** Values as they appear in messages: short, and on one line. */
import { clip } from '../../protocol/text.ts'

const MAX_LENGTH = 60

export const clipText = (text: string): string => clip(text, MAX_LENGTH)

export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(clipText(value))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : clipText(String(value))
}
