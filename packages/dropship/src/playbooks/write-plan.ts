/** How playbooks write plans. */
import type { Plan, Step } from 'myrmex'

/** A value of an earlier step's result. */
export const from = ($from: string, path: string): { $from: string; path: string } => ({ $from, path })

type StepExtras = Partial<Pick<Step, 'needs' | 'criteria'>>

export const step = (
  id: string,
  tool: string,
  args: Record<string, unknown>,
  why: string,
  { needs = [], criteria }: StepExtras = {},
): Step => ({
  id,
  agent: tool.slice(0, tool.indexOf('.')),
  tool,
  arguments: args,
  needs: [...new Set([...referencedSteps(args), ...needs])],
  why,
  ...(criteria !== undefined && { criteria }),
})

const referencedSteps = (args: Record<string, unknown>): string[] =>
  Object.values(args).flatMap((value) =>
    typeof value === 'object' && value !== null && '$from' in value ? [String(value.$from)] : [],
  )

export const makePlan = (goal: string, steps: Step[], budget: Plan['budget'], assumptions: string[]): Plan => ({
  goal,
  steps,
  budget,
  assumptions,
  questions: [],
})

/** A plan without steps that asks for what is missing. */
export const askFor = (goal: string, budget: Plan['budget'], ...questions: Plan['questions']): Plan => ({
  goal,
  steps: [],
  budget,
  assumptions: [],
  questions,
})
