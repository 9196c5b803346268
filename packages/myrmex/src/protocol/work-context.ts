/**
 * The standard context object: the larger piece of work that a request belongs to. A caller may send it as `_meta["myrmex/context"]`; then
 * every known member must have its type. Other members are allowed, and reach the tool as they are.
 */
import * as z from 'zod'
import { BudgetSchema } from './budget.ts'
import { invalidParams, type RpcError } from './errors.ts'
import { constraintTexts } from './issue.ts'
import type { Params } from './jsonrpc.ts'
import { META } from './versions.ts'
import { issuesOf } from './zod-issue.ts'

export const WorkContextSchema = z.looseObject({
  run: z.string().optional().describe('id of the run'),
  step: z.string().optional().describe('id of the step; with run, it makes an idempotency key'),
  agent: z.string().optional().describe('the agent that makes the call'),
  goal: z.string().optional().describe('what the run is to reach, in a sentence'),
  budget: BudgetSchema.optional().describe('the money that the work may spend, or its limits of money, calls and time'),
  locale: z.string().optional().describe('language and region for texts, such as en-GB'),
})

/** Undefined if the request has no context, or one that fits. */
export function contextError(meta: Params | undefined): RpcError | undefined {
  const given = meta?.[META.context]
  if (given === undefined) return undefined
  const issues = issuesOf(WorkContextSchema, given)
  if (issues.length === 0) return undefined
  return invalidParams(`_meta["${META.context}"] is malformed: ${constraintTexts(issues)}`, {
    issues: issues.map(({ path, constraint }) => ({ path: `/_meta/myrmex~1context${path}`, constraint })),
  })
}
