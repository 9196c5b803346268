/** Values as they appear in messages: short, and on one line. */

const MAX_LENGTH = 60

export const clipText = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)

export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(clipText(value))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : clipText(String(value))
}
