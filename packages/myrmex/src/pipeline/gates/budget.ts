/**
 * budget: before a call of a run starts, what it may cost is reserved in the run's budget. After it, what it did not spend is
 * returned: all of it if the call had no effect. Calls outside a run pass.
 */
import { costOf, hasCost } from '../../protocol/cost.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { errorTypesWhere } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { asSentence } from '../../protocol/text.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed, type Step } from '../gate.ts'
import { type CallEnd, comesAgain, Outcome, refusal } from '../outcome.ts'
import type { RunContext, Spend } from '../run-context.ts'

export const budget: Gate = (tool, next) => {
  // Calls of most tools cost nothing: they are counted, and nothing has to be returned.
  const isFree = isFreeTool(tool)
  const afterReserving = (call: Call, refused: string | undefined): CallEnd | Promise<CallEnd> => {
    if (refused !== undefined) return overBudget(call, refused)
    return isFree ? next(call) : spend(call, next)
  }
  return (call) => (call.caller.runContext === undefined ? next(call) : proceed(call, reserve, afterReserving))
}

const UNCOUNTABLE = 'what the call would cost is no number, so nobody can say whether it fits.'

function reserve(call: Call): undefined | string | Promise<undefined | string> {
  const wanted = spendOf(call)
  return Number.isFinite(wanted.cost) ? runOf(call).reserve(wanted) : UNCOUNTABLE
}

const runOf = ({ caller }: Call): RunContext => caller.runContext as RunContext

const spendOf = (call: Call): Spend => ({
  call: call.id,
  tool: call.tool.name,
  depth: call.depth,
  cost: highestCost(call),
})

async function spend(call: Call, next: Step): Promise<CallEnd> {
  const reserved = spendOf(call)
  let ended: CallEnd | undefined
  try {
    ended = await next(call)
    return ended
  } finally {
    try {
      await runOf(call).settle({ ...reserved, cost: actualCost(call, ended, reserved.cost) })
    } catch (thrown) {
      // The budget then has less left than it could: only what would have been returned is lost.
      call.pipeline.observe(call, thrown)
    }
  }
}

/** Of the arguments as sent and as parsed, whichever costs more. Undoing costs nothing. */
function highestCost({ tool, args, input, undoOf }: Call): number {
  const schema = tool.input.json
  if (undoOf !== undefined || !hasCost(schema)) return 0
  const costs = args === input ? [costOf(schema, input)] : [costOf(schema, args ?? {}), costOf(schema, input)]
  const known = costs.filter(Number.isFinite)
  // A schema may turn text into a number, or a number into text: one of the two can be counted.
  return known.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...known)
}

/** The cost in the result; everything reserved if the result has none. */
function actualCost(call: Call, ended: CallEnd | undefined, reserved: number): number {
  // The call comes again with the answers.
  if (ended !== undefined && comesAgain(ended)) return 0
  if (!(ended instanceof Outcome)) return call.started ? reserved : 0
  // A repeated result, or an unknown outcome: the first call may have spent all of it.
  if (!call.started && call.notes.repeatOf === null && !isUnknown(ended)) return 0
  return call.undoOf === undefined ? spentBy(call.tool, ended, reserved) : reserved
}

export const isFreeTool = ({ input, output }: Tool): boolean => !hasCost(input.json) && !hasCost(output.json)

/** What a call spent, by its result. It spent nothing if it had no effect, and all that was reserved if the result does not say. */
export function spentBy({ output }: Tool, result: SpendingResult, reserved: number): number {
  if (hadNoEffect(result)) return 0
  if (result.data === null || !hasCost(output.json)) return reserved
  const cost = costOf(output.json, result.data)
  return Number.isFinite(cost) ? cost : reserved
}

type SpendingResult = Pick<ToolResult, 'status' | 'data' | 'error'>

/** After any other failure the tool has changed nothing. */
const MAY_HAVE_EFFECT = errorTypesWhere('mayHaveEffect')

const hadNoEffect = (result: SpendingResult): boolean =>
  result.status === 'no_change_needed' ||
  (result.status === 'failure' && !MAY_HAVE_EFFECT.has(result.error?.error_type ?? '') && !isUnknown(result))

const isUnknown = ({ error }: SpendingResult): boolean =>
  isObject(error?.error_details) && error.error_details.outcome === 'unknown'

function overBudget(call: Call, why: string): Outcome {
  const { run, step } = runOf(call)
  const { tool, cost } = spendOf(call)
  return refusal(
    'PermissionError',
    `${tool} was not run: the budget of run ${run} does not allow it. ${asSentence(why)}`,
    { run, step, cost: Number.isFinite(cost) ? cost : null },
  )
}
