/** The result of a search: no value exists, a value, or unknown. */
import type { Json } from '../../../protocol/json.ts'

export type PathStep = string | number

export type SearchResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'some'; readonly value: Json }
  /** `path` leads to the part of the value that is unknown; `value` is a guess */
  | {
      readonly kind: 'unknown'
      readonly why: string
      readonly path: readonly PathStep[]
      readonly value?: Json | undefined
    }

export const NO_VALUE: SearchResult = { kind: 'empty' }
export const foundValue = (value: Json): SearchResult => ({ kind: 'some', value })
export const unknownResult = (
  why: string,
  value?: Json,
  path: readonly PathStep[] = [],
): SearchResult & { kind: 'unknown' } => ({
  kind: 'unknown',
  why,
  path,
  value,
})

/** The same result from one level above. */
export const insideStep = (
  step: PathStep,
  answer: SearchResult & { kind: 'unknown' },
): SearchResult & { kind: 'unknown' } => ({
  ...answer,
  path: [step, ...answer.path],
  value: undefined,
})

/** Stands for any key or index that no schema names. */
export const ANY_KEY = '*'
