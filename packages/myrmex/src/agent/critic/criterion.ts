/** A criterion: its input, its parameters and its result. One file each in criteria/. */
import type { ParameterType } from './parameters.ts'
import type { OutputReading } from './reading/reading.ts'
import type { Judgement, Verdict } from './verdict.ts'

export interface CriterionInput {
  readonly task: string
  /** the output, or the part of it that the criterion's `path` names */
  readonly reading: OutputReading
  readonly facts: unknown
  /** checked against `parameters` before */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Its suggestion is dropped if the criterion passes. */
export type Measurement = Omit<Judgement, 'criterion'>

export interface CriterionRule {
  readonly name: string
  /** one line, the same in docs/critic.md */
  readonly measures: string
  readonly parameters: Readonly<Record<string, ParameterType>>
  measure(job: CriterionInput): Measurement
}

/** `pass` and `revise` are the least scores for these verdicts; below both it is `fail`. */
export function verdictFor(score: number, { pass, revise }: { pass: number; revise: number }): Verdict['verdict'] {
  if (score >= pass) return 'pass'
  return score >= revise ? 'revise' : 'fail'
}

/** The criterion could not be measured, which never counts as passed. */
export const unmeasured = (evidence: string | string[], suggestion: string): Measurement => ({
  score: null,
  verdict: 'unknown',
  evidence: [evidence].flat(),
  suggestion,
})

export const NO_TEXT = unmeasured(
  'The output has no text that is written to be read.',
  'Judge data by completeness, or name the text with path.',
)

/** 1 up to `full`, 0 from `none`, linear in between. */
export const linearScore = (value: number, full: number, none: number): number =>
  Math.min(1, Math.max(0, (none - value) / (none - full)))
