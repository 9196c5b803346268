/**
 * budget: before a call of a run starts, what it may cost is reserved in the run's budget. After it, what it did not spend is
 * returned. Calls outside a run pass.
 */
import { costOf, hasCost } from '../../protocol/cost.ts'
import { asSentence } from '../../protocol/text.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed, type Step } from '../gate.ts'
import { type CallEnd, comesAgain, Outcome, refusal } from '../outcome.ts'
import type { RunContext, Spend } from '../run-context.ts'

export const budget: Gate = (tool, next) => {
  // Calls of most tools cost nothing: they are counted, and nothing has to be returned.
  const isFree = !hasCost(tool.input.json) && !hasCost(tool.output.json)
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
  const schema = call.tool.output.json
  if (call.undoOf !== undefined || ended.data === null || !hasCost(schema)) return reserved
  const cost = costOf(schema, ended.data)
  return Number.isFinite(cost) ? cost : reserved
}

const isUnknown = ({ error }: Outcome): boolean =>
  error?.error_details !== null && typeof error?.error_details === 'object' && error.error_details.outcome === 'unknown'

function overBudget(call: Call, why: string): Outcome {
  const { run, step } = runOf(call)
  const { tool, cost } = spendOf(call)
  return refusal(
    'PermissionError',
    `${tool} was not run: the budget of run ${run} does not allow it. ${asSentence(why)}`,
    { run, step, cost: Number.isFinite(cost) ? cost : null },
  )
}
