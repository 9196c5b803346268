/** The request to a critic and its verdict: one schema for the wire, for models and for the journal. */
import * as z from 'zod'
import { CriterionSchema } from '../plan/plan.ts'

export const CritiqueParamsSchema = z.looseObject({
  task: z.string().describe('what the output was made for'),
  output: z.unknown().describe('a text, or the data of a result'),
  criteria: z.array(CriterionSchema),
  facts: z.unknown().optional().describe('the data that the output must be grounded in'),
})
export type CritiqueRequest = z.infer<typeof CritiqueParamsSchema>

export const VerdictValue = z.enum(['pass', 'revise', 'fail'])

export const JudgementSchema = z.strictObject({
  criterion: z.string(),
  /** null: nobody here knows how to measure it, and `evidence` says so */
  score: z.number().min(0).max(1).nullable(),
  verdict: VerdictValue.or(z.literal('unknown')),
  evidence: z.array(z.string()),
  suggestion: z.string().nullable(),
})
export type Judgement = z.infer<typeof JudgementSchema>

export const VerdictSchema = z.strictObject({
  verdict: VerdictValue,
  score: z.number().min(0).max(1),
  judgements: z.array(JudgementSchema),
  summary: z.string(),
})
export type Verdict = z.infer<typeof VerdictSchema>
