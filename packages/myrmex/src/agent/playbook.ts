/**
 * `playbook({…})`: what a fleet's owner knows about goals of one kind. It says what such a goal asks for and what is known already,
 * and the brain plans; or it gives the whole plan. Either way the plan passes the same check as any other.
 */
import { ToolError } from '../protocol/errors.ts'
import type { PlanRequest } from './brain/brain.ts'
import type { Criterion, Plan } from './plan/plan.ts'

/** What the goal comes to, in terms of the fleet. */
export interface PlanHint {
  /** tools or semantic types that the goal asks for */
  readonly want: readonly string[]
  /** values at hand, by semantic type or by name; what whoever gave the goal said counts for more */
  readonly known?: Readonly<Record<string, unknown>>
  /** by tool, what its result is judged by */
  readonly criteria?: Readonly<Record<string, readonly Criterion[]>>
  /** what was taken for granted, in sentences */
  readonly assumptions?: readonly string[]
}

export interface PlaybookDefinition {
  name: string
  /** which goals it is for, in a sentence */
  description: string
  /** Undefined: the goal is none of its kind. It may look things up and changes nothing. */
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
