/**
 * How a run was started. Stored with the run, so that every process executes it in the same way. Context and plan are encrypted: which of
 * their values are secret is known only once every tool is listed, and an agent may be down when the run is started.
 */
import * as z from 'zod'
import { decryptText, encryptText } from '../../ledger/encrypted-text.ts'
import type { LedgerKey } from '../../ledger/journal/key.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { BudgetSchema } from '../../protocol/budget.ts'
import { ToolError } from '../../protocol/errors.ts'
import { pointerSteps } from '../../protocol/json.ts'
import { zodFaults } from '../../protocol/zod-issue.ts'
import type { Principal } from '../../tool/context.ts'
import { PlanContextSchema, PlanSchema } from '../plan/plan.ts'

/** ask: a person decides. never: what needs approval is not done. all: the caller approved everything in advance. */
export const APPROVAL_MODES = ['ask', 'never', 'all'] as const
export type ApprovalMode = (typeof APPROVAL_MODES)[number]

const OpenSchema = z.object({
  approve: z.enum(APPROVAL_MODES),
  budget: BudgetSchema,
  principal: z.object({
    id: z.string(),
    kind: z.enum(['local', 'bearer', 'agent']),
    scopes: z.array(z.string()).optional(),
  }),
  /** how often a step is tried in total, if repeating it is harmless */
  attempts: z.int().min(1).max(20),
  /** steps that run at the same time */
  parallel: z.int().min(1).max(256),
  /** a person typed the names of the known values, so an unknown one is a mistake */
  strict_known: z.boolean().optional(),
})
const EncryptedSchema = z.object({
  context: PlanContextSchema,
  /** executed instead of a plan made here */
  plan: PlanSchema.optional(),
})

/** What anybody with the store may read. */
export type OpenSettings = Omit<z.infer<typeof OpenSchema>, 'principal'> & { principal: Principal }
export type RunSettings = OpenSettings & z.infer<typeof EncryptedSchema>

export const DEFAULT_SETTINGS = { approve: 'ask', budget: {}, context: {}, attempts: 3, parallel: 32 } as const

export function writeSettings(settings: RunSettings, run: string, key: LedgerKey): string {
  const encrypted = encryptText(key, about(run), JSON.stringify(parse(EncryptedSchema, settings)))
  return JSON.stringify({ ...parse(OpenSchema, settings), encrypted })
}

export const readOpenSettings = ({ settings }: RunRow): OpenSettings =>
  parse(OpenSchema, JSON.parse(settings)) as OpenSettings

export function readSettings(run: RunRow, key: LedgerKey): RunSettings {
  const { encrypted } = parse(z.object({ encrypted: z.string() }), JSON.parse(run.settings))
  return { ...readOpenSettings(run), ...parse(EncryptedSchema, JSON.parse(decryptText(key, about(run.id), encrypted))) }
}

const about = (run: string): string => `run ${run}`

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data as T
  const faults = zodFaults(schema, value)
    .map(({ path, message }) => `${pointerSteps(path).join('.')}: ${message}`)
    .join('; ')
  throw ToolError.of('ValidationError', `Invalid settings of the run: ${faults}. Start it with other settings.`)
}
