/** The schema of a plan, used on the wire, by models and in the ledger. */
import * as z from 'zod'
import { BudgetSchema } from '../../protocol/budget.ts'
import { isObject } from '../../protocol/json.ts'
import { withKnownBudget } from './known-budget.ts'

export type { Budget } from '../../protocol/budget.ts'

/** `{"$from": "s2", "path": "/suppliers/0/supplier_id"}`: a value of an earlier step's result, by JSON pointer. */
export const ReferenceSchema = z.strictObject({
  $from: z.string().describe('id of the step whose result it is'),
  path: z.string().describe('JSON pointer into the data of that result; empty for all of it'),
})
export type Reference = z.infer<typeof ReferenceSchema>

/** A value with `$from` is a reference, never data. */
export const isReference = (value: unknown): value is Reference => isObject(value) && Object.hasOwn(value, '$from')

/** A bare name, or a name with what the critic needs to know: `{"name": "length", "min_words": 20}`. */
export const CriterionSchema = z.union([z.string(), z.looseObject({ name: z.string() })])
export type Criterion = z.infer<typeof CriterionSchema>

export const StepSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/)
    .describe('unique in the plan'),
  agent: z.string().describe('the agent whose tool it is'),
  tool: z.string().describe('canonical name, module.tool'),
  arguments: z.record(z.string(), z.unknown()).describe('values, or references to results of earlier steps'),
  needs: z.array(z.string()).describe('ids of steps that must have succeeded before'),
  why: z.string().describe('one sentence for people'),
  criteria: z.array(CriterionSchema).optional().describe('what its result is judged by'),
})
export type Step = z.infer<typeof StepSchema>

export const QuestionSchema = z.strictObject({
  input: z.string().describe('name of what must be known; the answer goes into context.known under it'),
  tool: z.string().optional().describe('the tool that needs it'),
  question: z.string(),
})
export type Question = z.infer<typeof QuestionSchema>

export const PlanSchema = z.strictObject({
  goal: z.string(),
  steps: z.array(StepSchema),
  budget: BudgetSchema,
  assumptions: z.array(z.string()),
  questions: z.array(QuestionSchema),
})
export type Plan = z.infer<typeof PlanSchema>

/** What is known beforehand, and what is wanted. A known value called budget is the budget, if there is no other. */
export const PlanContextSchema = z
  .looseObject({
    known: z.record(z.string(), z.unknown()).optional().describe('values at hand, by semantic type or by name'),
    want: z
      .array(z.string())
      .optional()
      .describe('semantic types or tools that the goal asks for, where that is certain'),
    budget: BudgetSchema.optional(),
    locale: z.string().optional(),
  })
  .transform(withKnownBudget)
export type PlanContext = z.infer<typeof PlanContextSchema>
