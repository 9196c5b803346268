/**
 * `playbook({…})`: knowledge of a fleet's owner about goals of one kind. It returns a hint with which the brain plans, or the whole
 * plan. Both pass the same check as any other plan.
 */
import { ToolError } from '../protocol/errors.ts'
import type { PlanRequest } from './brain/brain.ts'
import type { Criterion, Plan } from './plan/plan.ts'

/** What a goal asks for, in terms of the fleet. */
export interface PlanHint {
  /** tools or semantic types that the goal asks for */
  readonly want: readonly string[]
  /** known values, by semantic type or by name; values given with the goal take precedence */
  readonly known?: Readonly<Record<string, unknown>>
  /** by tool, the criteria for its result */
  readonly criteria?: Readonly<Record<string, readonly Criterion[]>>
  /** assumptions, in sentences */
  readonly assumptions?: readonly string[]
}

export interface PlaybookDefinition {
  name: string
  /** which goals it is for, in a sentence */
  description: string
  /** Undefined: the goal is not of its kind. It may read, and must change nothing. */
  plan: (request: PlanRequest, signal: AbortSignal | undefined) => Answer | Promise<Answer>
}

type Answer = Plan | PlanHint | undefined

export interface Playbook extends Readonly<PlaybookDefinition> {
  readonly kind: 'playbook'
}

export function playbook(definition: PlaybookDefinition): Playbook {
  const { name, description, plan } = definition
  if (typeof name !== 'string' || name === '') throw ToolError.of('RegistrationError', 'a playbook needs a name')
  if (typeof description !== 'string' || typeof plan !== 'function') {
    throw ToolError.of('RegistrationError', `playbook ${JSON.stringify(name)}: give description and plan`)
  }
  return Object.freeze({ name, description, plan, kind: 'playbook' as const })
}

export const isPlaybook = (value: unknown): value is Playbook =>
  typeof value === 'object' && value !== null && (value as Playbook).kind === 'playbook' && Object.isFrozen(value)

export const isPlanHint = (answer: Plan | PlanHint): answer is PlanHint => 'want' in answer
