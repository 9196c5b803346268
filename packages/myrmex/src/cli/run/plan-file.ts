/** Reads a plan from a file: written by hand, or printed by `--plan-only --json`. */
import { type Plan, PlanSchema } from '../../agent/plan/plan.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, pointer } from '../../protocol/json.ts'
import { loadOperatorFile } from '../../serve/operator-file.ts'

/** The plan itself, or the object that --plan-only --json prints. */
export const readPlan = (file: string): Promise<Plan> =>
  loadOperatorFile(file, { name: 'plan', defaultName: file, empty: EMPTY, parse })

const EMPTY: Plan = { goal: '', steps: [], budget: {}, assumptions: [], questions: [] }

function parse(value: unknown): Plan {
  const within = isObject(value) && isObject(value.plan) && value.steps === undefined
  const parsed = PlanSchema.safeParse(within ? value.plan : value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: pointer(within ? ['plan', ...path] : path),
    message: `is invalid: ${message}`,
  }))
  throw ToolError.of('ValidationError', 'The file is not a plan.', { issues })
}
