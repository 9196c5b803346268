/** The requests `agent/plan` and `agent/critique`, under the names of the specification. Its payloads leave out `jsonrpc` and `id`. */
import * as z from 'zod'
import { requestSchema } from '../protocol/messages.ts'
import { CritiqueParamsSchema } from './critic/verdict.ts'
import { CRITIQUE_METHOD, PLAN_METHOD } from './methods.ts'
import { PlanContextSchema } from './plan/plan.ts'

export const PlanRequestSchema = requestSchema(
  PLAN_METHOD,
  z.object({ goal: z.string().trim().min(1), context: PlanContextSchema.default({}) }),
).partial({ jsonrpc: true, id: true })

export const CritiqueRequestSchema = requestSchema(
  CRITIQUE_METHOD,
  // `z.unknown()` alone would accept a missing output.
  CritiqueParamsSchema.extend({
    output: z.unknown().refine((value) => value !== undefined, { error: 'is required' }),
  }),
).partial({ jsonrpc: true, id: true })
