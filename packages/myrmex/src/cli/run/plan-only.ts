/** `myrmex run GOAL --plan-only`: the plan, checked, and nothing else. Nothing is written, not even that somebody asked. */
import type { Budget, Plan } from '../../agent/plan/plan.ts'
import type { Office } from '../../agent/run/office.ts'
import { judged, type Thinking, thinkOf } from '../../agent/run/think.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { readableJson } from '../../tool/readable-json.ts'
import { aside, print, say } from '../terminal.ts'
import { NOT_OVER } from './exit-code.ts'
import { withThinking } from './office.ts'
import { planText, problemsText, toolsOf } from './plan-text.ts'
import type { RunOptions } from './start.ts'

export interface Wanted {
  readonly known: JsonObject
  readonly budget: Budget
  readonly plan: Plan | undefined
}

/** Exits 0 with a plan that holds, 1 with one that does not, 3 where something must be known first. */
export async function showPlan(goal: string, wanted: Wanted, options: RunOptions): Promise<void> {
  await withThinking(options, { note: say }, async (office) => {
    const thinking = await aside(() => thought(office, goal, wanted))
    const { plan, checked } = thinking
    if (plan.questions.length > 0) process.exitCode = NOT_OVER
    else if (!checked.ok) process.exitCode = 1
    print(options.json ? readableJson(asJson(thinking)) : asText(thinking, office))
  })
}

async function thought(office: Office, goal: string, { known, budget, plan }: Wanted): Promise<Thinking> {
  if (plan === undefined) return thinkOf(office, goal, { known }, budget)
  return judged(office, plan, 'whoever wrote the file', [], office.fleet.views(), budget)
}

function asText({ plan, by, notes, checked }: Thinking, { fleet }: Office): string {
  const facts = checked.ok ? { cost: checked.cost, levels: checked.levels } : {}
  const warnings = checked.ok ? checked.warnings.map(({ message }) => message) : []
  const text = planText(
    checked.ok ? checked.plan : plan,
    { by, notes: [...notes, ...warnings], ...facts },
    toolsOf(fleet.views()),
  )
  if (checked.ok || plan.questions.length > 0) return text
  return `${text}\n\n${problemsText(checked.problems)}`
}

const asJson = ({ plan, by, notes, checked }: Thinking): object => ({
  plan: checked.ok ? checked.plan : plan,
  by,
  notes,
  ...(checked.ok
    ? { ok: true, cost: checked.cost, levels: checked.levels, warnings: checked.warnings }
    : { ok: false, problems: checked.problems }),
})
