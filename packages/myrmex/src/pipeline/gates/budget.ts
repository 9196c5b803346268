/**
 * budget: what a call of a run may cost is taken out of the run's budget before anything happens, and what it did not spend is
 * given back after. A call that no run leads passes.
 */
import { costOf, hasCost } from '../../protocol/cost.ts'
import type { Call } from '../call.ts'
import type { Gate, Step } from '../gate.ts'
import { type CallEnd, failure, fromThrown, InputRequired, isPromise, Outcome } from '../outcome.ts'
import type { RunContext, Spend } from '../run-context.ts'

export const budget: Gate = (tool, next) => {
  // Most tools cost nothing: their calls are counted, and there is nothing to give back.
  const isFree = !hasCost(tool.input.json) && !hasCost(tool.output.json)
  return (call) => {
    const { runContext } = call.caller
    return runContext === undefined ? next(call) : within(call, runContext, next, isFree)
  }
}

const UNCOUNTABLE = 'what the call would cost is no number, so nobody can say whether it fits.'

function within(call: Call, lead: RunContext, next: Step, isFree: boolean): CallEnd | Promise<CallEnd> {
  const spend: Spend = { call: call.id, tool: call.tool.name, depth: call.depth, cost: most(call) }
  const go = (refused: string | undefined): CallEnd | Promise<CallEnd> => {
    if (refused !== undefined) return spent(lead, spend, refused)
    return isFree ? next(call) : spending(call, lead, spend, next)
  }
  if (!Number.isFinite(spend.cost)) return go(UNCOUNTABLE)
  try {
    const reserved = lead.reserve(spend)
    return isPromise(reserved) ? reserved.then(go, (thrown) => fromThrown(thrown, call.id)) : go(reserved)
  } catch (thrown) {
    return fromThrown(thrown, call.id)
  }
}

async function spending(call: Call, lead: RunContext, spend: Spend, next: Step): Promise<CallEnd> {
  let ended: CallEnd | undefined
  try {
    ended = await next(call)
    return ended
  } finally {
    try {
      await lead.settle({ ...spend, cost: really(call, ended, spend.cost) })
    } catch (thrown) {
      // The budget then has less left than it might: nothing is lost but what could have been given back.
      call.pipeline.observe(call, thrown)
    }
  }
}

/** By what was sent and by what the schema made of it, whichever is more; undoing spends nothing. */
function most({ tool, args, input, undoData }: Call): number {
  const schema = tool.input.json
  if (undoData !== undefined || !hasCost(schema)) return 0
  const costs = args === input ? [costOf(schema, input)] : [costOf(schema, args ?? {}), costOf(schema, input)]
  const known = costs.filter(Number.isFinite)
  // A schema may turn text into a number, or a number into text: one of the two can be counted.
  return known.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...known)
}

/** What was spent, as the result says it; all that it might have been where nobody can say. */
function really(call: Call, ended: CallEnd | undefined, reserved: number): number {
  // It will come again with the answers.
  if (ended instanceof InputRequired) return 0
  if (!(ended instanceof Outcome)) return call.started ? reserved : 0
  // Told again what came of it, or that nobody knows: whoever began it may have spent all of it.
  if (!call.started && call.repeatOf === null && !isUnknown(ended)) return 0
  const schema = call.tool.output.json
  if (call.undoData !== undefined || ended.data === null || !hasCost(schema)) return reserved
  const cost = costOf(schema, ended.data)
  return Number.isFinite(cost) ? cost : reserved
}

const isUnknown = ({ error }: Outcome): boolean =>
  error?.error_details !== null && typeof error?.error_details === 'object' && error.error_details.outcome === 'unknown'

const spent = ({ run, step }: RunContext, { tool, cost }: Spend, why: string): Outcome =>
  failure({
    error_type: 'PermissionError',
    error_message: `${tool} was not run: the budget of run ${run} does not allow it. ${sentence(why)}`,
    error_details: { run, step, cost: Number.isFinite(cost) ? cost : null },
  })

/** As a sentence of its own. */
const sentence = (words: string): string => {
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
