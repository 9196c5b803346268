/** What the fleet's playbooks say of a goal: the first that knows its kind is followed. Whoever said what is wanted needs none. */
import type { PlanRequest } from '../../brain/brain.ts'
import type { Plan } from '../../plan/plan.ts'
import { isPlanHint, type Playbook } from '../../playbook.ts'

export interface PlaybookAdvice {
  readonly by: string
  readonly notes: readonly string[]
  /** the whole plan; or else: what to plan by */
  readonly plan?: Plan
  readonly request?: PlanRequest
}

export async function playbookAdvice(
  playbooks: readonly Playbook[],
  request: PlanRequest,
  signal?: AbortSignal,
): Promise<PlaybookAdvice | undefined> {
  const { context } = request
  if ((context.want ?? []).length > 0) return undefined
  for (const { name, plan } of playbooks) {
    const answer = await plan(request, signal)
    if (answer === undefined) continue
    const by = `the playbook ${name}`
    if (!isPlanHint(answer)) return { by, notes: [], plan: answer }
    const { want, known, criteria, assumptions = [] } = answer
    const hinted = {
      ...context,
      want: [...want],
      known: { ...known, ...context.known },
      ...(criteria !== undefined && { criteria }),
    }
    return { by, notes: [`Planned by ${by}.`, ...assumptions], request: { ...request, context: hinted } }
  }
  return undefined
}
