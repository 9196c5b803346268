/** What a search for a value found: that there is none, one, or that it could not tell. */
import type { Json } from '../../../protocol/json.ts'

export type PathStep = string | number

export type SearchResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'some'; readonly value: Json }
  /** `path` leads to the part of the value that is in question; `value` is a guess at one */
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

/** The same, seen from one level up. */
export const insideStep = (
  step: PathStep,
  answer: SearchResult & { kind: 'unknown' },
): SearchResult & { kind: 'unknown' } => ({
  ...answer,
  path: [step, ...answer.path],
  value: undefined,
})

/** Stands for a key or an index that no schema names. */
export const ANY_KEY = '*'
