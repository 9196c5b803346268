/** The parameters of a criterion, checked before it is measured: a wrong or a mistyped one is said, never ignored. */
import * as z from 'zod'
import { nearest } from '../../tool/nearest.ts'
import { quoted } from './reading/quote.ts'

/** Lists longer than this, or with longer texts, are no lists of words. */
const MAX_TEXTS = 500
const MAX_TEXT_LENGTH = 200
const SOMETHING_VISIBLE = /[^\s\p{C}]/u
const POINTER = /^$|^\//

/** Each with the words that an error describes it by. */
export const PARAMETER_TYPES = {
  count: z.int().min(0).describe('a whole number from 0'),
  share: z.number().min(0).max(1).describe('a number from 0 to 1'),
  weight: z.number().min(0).max(1000).describe('a number from 0 to 1000'),
  flag: z.boolean().describe('true or false'),
  pointer: z.string().regex(POINTER).describe('a JSON pointer such as /headline'),
  texts: z
    .array(z.string().max(MAX_TEXT_LENGTH).regex(SOMETHING_VISIBLE))
    .max(MAX_TEXTS)
    .describe(`a list of at most ${MAX_TEXTS} texts of 1 to ${MAX_TEXT_LENGTH} characters`),
}
export type ParameterType = keyof typeof PARAMETER_TYPES

/** Every criterion knows these; `why` and `description` are for people. */
const ALWAYS: Readonly<Record<string, ParameterType>> = { weight: 'weight', path: 'pointer' }
const FOR_PEOPLE = new Set(['name', 'why', 'description'])

export function parameterProblems(
  given: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, ParameterType>>,
): string[] {
  const known: Readonly<Record<string, ParameterType>> = { ...ALWAYS, ...own }
  return Object.entries(given).flatMap(([name, value]) => {
    if (FOR_PEOPLE.has(name) || value === undefined) return []
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known)
      const [near] = nearest(name, names, 1)
      const hint = near === undefined ? 'known are' : `the nearest is ${near}, of`
      return [`There is no parameter ${quoted(name, 40)}; ${hint} ${names.join(', ')}.`]
    }
    const type = PARAMETER_TYPES[known[name] as ParameterType]
    return type.safeParse(value).success ? [] : [`${name} must be ${type.description}; it was ${written(value)}.`]
  })
}

function written(value: unknown): string {
  if (typeof value === 'string') return quoted(value, 40)
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
