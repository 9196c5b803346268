/** Keywords for numbers, strings and any value: bounds, lengths, patterns, formats, and lists of values. */
import type { Check } from './evaluation.ts'
import { formatCheck } from './formats.ts'
import { asCount, asList, asNumber, asText, type KeywordTable } from './keyword.ts'

const bound =
  (keyword: string, holds: (value: number, limit: number) => boolean) =>
  (given: unknown): Check => {
    const limit = asNumber(given, keyword)
    return (value, run) => holds(value as number, limit) || run.fail(keyword, { limit })
  }

export const NUMBER_KEYWORDS: KeywordTable = {
  minimum: bound('minimum', (value, limit) => value >= limit),
  maximum: bound('maximum', (value, limit) => value <= limit),
  exclusiveMinimum: bound('exclusiveMinimum', (value, limit) => value > limit),
  exclusiveMaximum: bound('exclusiveMaximum', (value, limit) => value < limit),
  multipleOf: (given) => {
    const multipleOf = asNumber(given, 'multipleOf')
    if (multipleOf <= 0) asText(given, 'multipleOf')
    return (value, run) => Number.isInteger((value as number) / multipleOf) || run.fail('multipleOf', { multipleOf })
  },
  format: (given, { checksFormats }) => {
    const format = asText(given, 'format')
    const fits = checksFormats ? formatCheck(format, 'number') : undefined
    if (fits === undefined) return undefined
    return (value, run) => fits(value as never, run) || run.fail('format', { format })
  },
}

/** The number of characters, without counting further than needed: a character has one or two units. */
function hasAtLeast(text: string, count: number): boolean {
  if (text.length < count) return false
  if (text.length >= 2 * count) return true
  let characters = 0
  for (const _ of text) characters++
  return characters >= count
}

export const STRING_KEYWORDS: KeywordTable = {
  minLength: (given) => {
    const limit = asCount(given, 'minLength')
    return (value, run) => {
      run.spend((value as string).length >> 6)
      return hasAtLeast(value as string, limit) || run.fail('minLength', { limit })
    }
  },
  maxLength: (given) => {
    const limit = asCount(given, 'maxLength')
    return (value, run) => {
      run.spend((value as string).length >> 6)
      return !hasAtLeast(value as string, limit + 1) || run.fail('maxLength', { limit })
    }
  },
  pattern: (given, context) => {
    const pattern = asText(given, 'pattern')
    const matches = context.pattern(pattern)
    return (value, run) => matches(value as string, run) || run.fail('pattern', { pattern })
  },
  format: (given, { checksFormats }) => {
    const format = asText(given, 'format')
    const fits = checksFormats ? formatCheck(format, 'string') : undefined
    if (fits === undefined) return undefined
    return (value, run) => fits(value as never, run) || run.fail('format', { format })
  },
}

/** Equality of JSON values, within the size of the smaller one. Every compared part is a step. */
function isEqual(one: unknown, other: unknown, spend: (steps: number) => void): boolean {
  spend(1)
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isEqual(item, other[index], spend))
  }
  const keys = Object.keys(one)
  if (keys.length !== countKeys(other, keys.length)) return false
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key], spend),
  )
}

/** Counts no further than one more than `enough`. */
function countKeys(value: object, enough: number): number {
  let count = 0
  for (const key in value) if (Object.hasOwn(value, key) && ++count > enough) break
  return count
}

/** Whether a value is one of these. Scalars are looked up; objects and lists are compared one by one. */
function membership(listed: readonly unknown[]): Check {
  const scalars = new Set(listed.filter((item) => typeof item !== 'object' || item === null))
  const nested = listed.filter((item) => typeof item === 'object' && item !== null)
  return (value, run) => {
    if (typeof value !== 'object' || value === null) return scalars.has(value)
    const spend = (steps: number): void => run.spend(steps)
    return nested.some((item) => isEqual(item, value, spend))
  }
}

export const ANY_KEYWORDS: KeywordTable = {
  enum: (given) => {
    const allowedValues = asList(given, 'enum')
    const isListed = membership(allowedValues)
    return (value, run) => isListed(value, run) || run.fail('enum', { allowedValues })
  },
  const: (allowedValue) => {
    const isThis = membership([allowedValue])
    return (value, run) => isThis(value, run) || run.fail('const', { allowedValue })
  },
}
