/** The result of a search: no value exists, a value, or unknown. */
import type { Json } from '../../../protocol/json.ts'

export type PathStep = string | number

export interface UnknownResult {
  readonly kind: 'unknown'
  readonly why: string
  /** leads to the part of the value that is unknown */
  readonly path: readonly PathStep[]
  /** a guess */
  readonly value?: Json | undefined
}

export type SearchResult = { readonly kind: 'empty' } | { readonly kind: 'some'; readonly value: Json } | UnknownResult

export const NO_VALUE: SearchResult = { kind: 'empty' }
export const foundValue = (value: Json): SearchResult => ({ kind: 'some', value })
export const unknownResult = (why: string, value?: Json): UnknownResult => ({ kind: 'unknown', why, path: [], value })

/** The same result from one level above. */
export const insideStep = (step: PathStep, answer: UnknownResult): UnknownResult => ({
  ...answer,
  path: [step, ...answer.path],
  value: undefined,
})

/** Stands for any key or index that no schema names. */
export const ANY_KEY = '*'
