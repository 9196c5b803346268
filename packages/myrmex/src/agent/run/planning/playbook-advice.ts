/** Asks the fleet's playbooks about a goal. The first that knows it is used. A request with `want` needs none. */
import type { PlanRequest } from '../../brain/brain.ts'
import { recordReads } from '../../brain/known-values.ts'
import type { Plan } from '../../plan/plan.ts'
import { isPlanHint, type Playbook } from '../../playbook.ts'

export interface PlaybookAdvice {
  readonly by: string
  readonly notes: readonly string[]
  /** the whole plan, or a request to plan with */
  readonly plan?: Plan
  readonly request?: PlanRequest
  /** the names of known values that the playbook looked up */
  readonly read: ReadonlySet<string>
}

export async function playbookAdvice(
  playbooks: readonly Playbook[],
  request: PlanRequest,
  signal?: AbortSignal,
): Promise<PlaybookAdvice | undefined> {
  const { context } = request
  if ((context.want ?? []).length > 0) return undefined
  for (const { name, plan } of playbooks) {
    const { context: recorded, read } = recordReads(context)
    const answer = await plan({ ...request, context: recorded }, signal)
    if (answer === undefined) continue
    const by = `the playbook ${name}`
    if (!isPlanHint(answer)) return { by, notes: [], plan: answer, read }
    const { want, known, criteria, assumptions = [] } = answer
    const hinted = {
      ...context,
      want: [...want],
      known: { ...known, ...context.known },
      ...(criteria !== undefined && { criteria }),
    }
    return { by, notes: [`Planned by ${by}.`, ...assumptions], request: { ...request, context: hinted }, read }
  }
  return undefined
}
