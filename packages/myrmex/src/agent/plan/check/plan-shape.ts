/** Checks the shape of a plan against its schema: missing, unknown and wrongly typed fields, with their location. */
import type * as z from 'zod'
import { valueAtPath } from '../../../protocol/json.ts'
import { zodSentence } from '../../../protocol/zod-issue.ts'
import { clipText, showValue } from '../../../schema/json-schema/show-value.ts'
import { type Plan, PlanSchema } from '../plan.ts'
import type { Problems } from './problem.ts'

export function parsePlanShape(plan: unknown, problems: Problems): Plan | undefined {
  const parsed = PlanSchema.safeParse(plan)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    for (const { path, message } of faultsOf(issue, plan)) problems.add('bad-shape', stepAt(plan, path), path, message)
  }
  return undefined
}

function faultsOf(issue: z.core.$ZodIssue, plan: unknown): Pick<z.core.$ZodIssue, 'path' | 'message'>[] {
  const { path } = issue
  const name = path.length === 0 ? 'the plan' : clipText(String(path.at(-1)))
  if (issue.code === 'unrecognized_keys') {
    const what = path.length === 0 ? 'a plan' : `this part of a plan`
    return issue.keys.map((key) => ({ path: [...path, key], message: `${what} has no field ${showValue(key)}` }))
  }
  const value = valueAtPath(plan, path)
  if (value === undefined) return [{ path, message: path.length === 0 ? 'there is no plan' : `${name} is missing` }]
  return [{ path, message: `${name} is ${showValue(value)}: ${zodSentence(issue, plan)}` }]
}

/** The id of the step at this path, if it has a valid one. */
function stepAt(plan: unknown, path: readonly PropertyKey[]): string | undefined {
  const id = path[0] === 'steps' ? valueAtPath(plan, ['steps', path[1] ?? '', 'id']) : undefined
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,40}$/.test(id) ? id : undefined
}
