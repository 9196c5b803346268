/** The parameters of a criterion, checked before it is measured: a wrong or a mistyped one is said, never ignored. */
import { nearest } from '../../tool/nearest.ts'
import { quoted } from './reading/quote.ts'

export type ParameterType = 'count' | 'share' | 'flag' | 'texts' | 'pointer' | 'weight'

/** Every criterion knows these; `why` and `description` are for people. */
const ALWAYS: Readonly<Record<string, ParameterType>> = { weight: 'weight', path: 'pointer' }
const FOR_PEOPLE = new Set(['name', 'why', 'description'])

/** Lists longer than this, or with longer texts, are no lists of words. */
const MAX_TEXTS = 500
const MAX_TEXT_LENGTH = 200

const SHAPES: Readonly<Record<ParameterType, { is(value: unknown): boolean; says: string }>> = {
  count: { is: (value) => Number.isSafeInteger(value) && (value as number) >= 0, says: 'a whole number from 0' },
  share: { is: (value) => typeof value === 'number' && value >= 0 && value <= 1, says: 'a number from 0 to 1' },
  weight: { is: (value) => typeof value === 'number' && value >= 0 && value <= 1000, says: 'a number from 0 to 1000' },
  flag: { is: (value) => typeof value === 'boolean', says: 'true or false' },
  pointer: {
    is: (value) => typeof value === 'string' && (value === '' || value.startsWith('/')),
    says: 'a JSON pointer such as /headline',
  },
  texts: {
    is: (value) => Array.isArray(value) && value.length <= MAX_TEXTS && value.every(isWordOrPhrase),
    says: `a list of at most ${MAX_TEXTS} texts of 1 to ${MAX_TEXT_LENGTH} characters`,
  },
}

const isWordOrPhrase = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && /[^\s\p{C}]/u.test(value)

export function parameterProblems(
  given: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, ParameterType>>,
): string[] {
  const known: Readonly<Record<string, ParameterType>> = { ...ALWAYS, ...own }
  return Object.entries(given).flatMap(([name, value]) => {
    if (FOR_PEOPLE.has(name) || value === undefined) return []
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known)
      return [
        `There is no parameter ${quoted(name, 40)}; the nearest is ${nearest(name, names, 1)[0]}, of ${names.join(', ')}.`,
      ]
    }
    const shape = SHAPES[known[name] as ParameterType]
    return shape.is(value) ? [] : [`${name} must be ${shape.says}; it was ${written(value)}.`]
  })
}

function written(value: unknown): string {
  if (typeof value === 'string') return quoted(value, 40)
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
