/** `myrmex run GOAL --plan-only`: prints the checked plan. Nothing is written to the ledger. */
import { withKnownBudget } from '../../agent/plan/known-budget.ts'
import type { Budget, Plan } from '../../agent/plan/plan.ts'
import type { RunEnvironment } from '../../agent/run/environment.ts'
import { withReadOnlyEnvironment } from '../../agent/run/environment.ts'
import { checkProposal, type PlanProposal, proposePlan } from '../../agent/run/planning/plan-run.ts'
import { checkWithAgents } from '../../agent/run/planning/refused-by-agents.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { print, say, withStdoutOnStderr } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { EXIT_UNFINISHED } from './exit-code.ts'
import { planText, problemsText, toolsByName } from './plan-text.ts'
import type { RunOptions } from './start-run.ts'

/** Exits with 0 if the plan is valid, 1 if it is not, and 3 if it needs answers first. */
export async function showPlan(
  goal: string,
  { known, budget, plan: given }: { known: JsonObject; budget: Budget; plan: Plan | undefined },
  options: RunOptions,
): Promise<void> {
  const context = withKnownBudget({ known, budget })
  await withReadOnlyEnvironment(options, { note: say }, async (office) => {
    const thinking = await withStdoutOnStderr(async () => {
      const proposal =
        given === undefined
          ? await proposePlan(office, goal, context, { isStrict: true })
          : checkProposal(office, given, 'the file', [], context, { isStrict: true, isGiven: true })
      return { ...proposal, checked: await checkWithAgents(office.fleet, proposal.checked) }
    })
    const { plan, checked, knownProblems } = thinking
    if (knownProblems.length > 0)
      throw ToolError.of('ValidationError', knownProblems.map(({ message }) => message).join(' '))
    if (plan.questions.length > 0) process.exitCode = EXIT_UNFINISHED
    else if (!checked.ok) process.exitCode = 1
    print(options.json ? readableJson(asJson(thinking)) : asText(thinking, office))
  })
}

function asText({ shown, by, notes, checked }: PlanProposal, { fleet }: RunEnvironment): string {
  const facts = checked.ok ? { cost: checked.cost, levels: checked.levels } : {}
  const warnings = checked.ok ? checked.warnings.map(({ message }) => message) : []
  const text = planText(
    checked.ok ? checked.plan : shown,
    { by, notes: [...notes, ...warnings], ...facts },
    toolsByName(fleet.views()),
  )
  if (checked.ok || shown.questions.length > 0) return text
  return `${text}\n\n${problemsText(checked.problems)}`
}

const asJson = ({ shown, by, notes, checked }: PlanProposal): object => ({
  plan: checked.ok ? checked.plan : shown,
  by,
  notes,
  ...(checked.ok
    ? { ok: true, cost: checked.cost, levels: checked.levels, warnings: checked.warnings }
    : { ok: false, problems: checked.problems }),
})
