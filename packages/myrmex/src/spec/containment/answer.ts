/** What a search for a value found: that there is none, one, or that it could not tell. */
import type { Json } from '../../protocol/json.ts'

export type Step = string | number

export type Answer =
  | { readonly kind: 'empty' }
  | { readonly kind: 'some'; readonly value: Json }
  /** `path` leads to the part of the value that is in question; `value` is a guess at one */
  | {
      readonly kind: 'unknown'
      readonly why: string
      readonly path: readonly Step[]
      readonly value?: Json | undefined
    }

export const EMPTY: Answer = { kind: 'empty' }
export const some = (value: Json): Answer => ({ kind: 'some', value })
export const unknown = (why: string, value?: Json, path: readonly Step[] = []): Answer & { kind: 'unknown' } => ({
  kind: 'unknown',
  why,
  path,
  value,
})

/** The same, seen from one level up. */
export const within = (step: Step, answer: Answer & { kind: 'unknown' }): Answer & { kind: 'unknown' } => ({
  ...answer,
  path: [step, ...answer.path],
  value: undefined,
})

/** Stands for a key or an index that no schema names. */
export const ANY = '*'
