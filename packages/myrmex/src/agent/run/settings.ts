/** How a run was started. Stored with the run, so that every process executes it in the same way. */
import * as z from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import type { Principal } from '../../tool/context.ts'
import { BudgetSchema, PlanContextSchema, PlanSchema } from '../plan/plan.ts'

/** ask: a person decides. never: what needs approval is not done. all: the caller approved everything in advance. */
export const APPROVAL_MODES = ['ask', 'never', 'all'] as const
export type ApprovalMode = (typeof APPROVAL_MODES)[number]

const SettingsSchema = z.object({
  approve: z.enum(APPROVAL_MODES),
  budget: BudgetSchema,
  context: PlanContextSchema,
  /** executed instead of a plan made here */
  plan: PlanSchema.optional(),
  principal: z.object({
    id: z.string(),
    kind: z.enum(['local', 'bearer', 'agent']),
    scopes: z.array(z.string()).optional(),
  }),
  /** how often a step is tried in total, if repeating it is harmless */
  attempts: z.int().min(1).max(20),
  /** steps that run at the same time */
  parallel: z.int().min(1).max(256),
})
export type RunSettings = Omit<z.infer<typeof SettingsSchema>, 'principal'> & { principal: Principal }

export const DEFAULT_SETTINGS = { approve: 'ask', budget: {}, context: {}, attempts: 3, parallel: 32 } as const

export function readSettings(text: string): RunSettings {
  const { data, error } = SettingsSchema.safeParse(JSON.parse(text))
  if (error === undefined) return data as RunSettings
  const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  throw ToolError.of('ValidationError', `Invalid settings of the run: ${faults}. Start it with other settings.`)
}
