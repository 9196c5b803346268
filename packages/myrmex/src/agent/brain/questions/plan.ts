/** Asks a model for a plan. Goal and budget stay the owner's, and a plan counts only when the checker lets it pass. */
import { redact } from '../../../protocol/secret.ts'
import { checkPlan, type Problem } from '../../plan/check.ts'
import { type Budget, type Plan, PlanSchema } from '../../plan/plan.ts'
import type { PlanRequest } from '../brain.ts'
import { catalogueOf } from '../catalogue.ts'
import { fenced } from '../fence.ts'
import { secretNamesOf, withSecrets } from '../known-secrets.ts'
import { fencedAll, instructionsOf, type ModelQuestion, parseAnswer, type ReadResult } from './question.ts'

const RULES = [
  'Use only the listed tools, with their exact `name` as `tool` and their exact `agent`.',
  'Arguments must fit the input schema of the tool: every required one, no unknown one.',
  'To use the result of an earlier step write {"$from": "<its id>", "path": "<JSON pointer>"} as the value. The path must ' +
    'exist in the output schema of that tool; items of a list are named by index, as in /suppliers/0/id.',
  '`needs` names every step that must be done before, at least all that are referred to. Steps that do not depend on each ' +
    'other do not need each other.',
  'No step that the goal does not ask for. Of two tools for the same thing take the cheaper and more reliable one.',
  'Never invent a value. Ask in `questions` for values that neither the context nor a result provides, and leave out the ' +
    'steps that depend on them.',
  '`cost` of a tool is what each call costs, or which arguments are money. All of it together stays within the budget.',
  'A known value shown as "[secret]" is real: write "[secret]" for the argument of that name, and it is put in later.',
  'Where the context has `criteria` for a tool, its steps have them as their `criteria`.',
  '`why` is one plain sentence about that step. `assumptions` are what you took for granted.',
]

const INSTRUCTIONS = instructionsOf(
  'You plan the work of a fleet of agents. You are given a goal, what is known, and the tools that exist.',
  RULES,
  PlanSchema.omit({ goal: true, budget: true }),
)

/**
 * `byRules` is what the rules would do. Their budget counts, since they also find one that stands among other values; and the
 * tools they would use stay in view, however little these share with the words of the goal.
 */
export function planQuestion(request: PlanRequest, byRules: Plan): ModelQuestion<Plan> {
  const { goal, tools } = request
  const { budget } = byRules
  const catalogue = catalogueOf(request, new Set(byRules.steps.map(({ tool }) => tool)))
  const rest = fencedAll({ goal, context: redact({ ...request.context, budget }, secretNamesOf(tools)) })
  return {
    instructions: INSTRUCTIONS,
    data: `${rest.data}\n${fenced('tools', catalogue.tools)}`,
    maxOutputTokens: 8192,
    notes: [...catalogue.notes, ...rest.notes],
    read: (answer) => readPlan(answer, request, budget),
  }
}

function readPlan(
  answer: Record<string, unknown>,
  { goal, context, tools }: PlanRequest,
  budget: Budget,
): ReadResult<Plan> {
  const parsed = parseAnswer(PlanSchema, { ...answer, goal, budget })
  if (!parsed.ok) return parsed
  if (parsed.value.steps.length === 0 && parsed.value.questions.length === 0)
    return { ok: false, problems: ['/steps: the plan does nothing and asks nothing'] }
  const { plan, problems } = withSecrets(parsed.value, context, tools)
  if (problems.length > 0)
    return { ok: false, problems: problems.map(({ step, path, message }) => `/steps ${step}${path}: ${message}`) }
  const checked = checkPlan(plan, tools)
  if (checked.ok) return { ok: true, value: checked.plan }
  return { ok: false, problems: checked.problems.map(sentence) }
}

const sentence = ({ path, message, step }: Problem): string =>
  `${step === undefined ? '' : `step ${step}, `}${path || '/'}: ${message}`
