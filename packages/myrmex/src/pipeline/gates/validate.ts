/** validate: the arguments must fit the input schema. The error names every field that does not. An undo gets those of its call. */
import { type Issue, issueTexts } from '../../protocol/issue.ts'
import type { Parsed, Schema, StepBudget } from '../../protocol/schema.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'
import { type CallEnd, type Outcome, refusal } from '../outcome.ts'
import { loadUndone } from '../undo.ts'

export const validate: Gate = (tool, next) => {
  const { input, name } = tool
  const afterLoading = (call: Call, refused: Outcome | undefined): CallEnd | Promise<CallEnd> => refused ?? next(call)
  return (call) => {
    if (call.undoOf !== undefined) return proceed(call, loadUndone, afterLoading)
    const parsed = parseArguments(input, call.args ?? {}, call.caller.schemaSteps)
    if (parsed.success) {
      call.input = parsed.data
      return next(call)
    }
    return refusal('SchemaError', `The arguments do not fit ${name}: ${issueTexts(parsed.issues)}`, {
      tool: name,
      issues: parsed.issues.map((issue) => ({ ...issue })),
    })
  }
}

const TOO_DEEP: Issue = { path: '', constraint: 'depth', message: 'is nested too deeply to be checked', value: null }

/** Validators and copies are recursive: arguments of a few thousand levels exhaust their stack. */
function parseArguments(input: Schema, args: unknown, steps: StepBudget | undefined): Parsed {
  try {
    return input.parse(args, steps)
  } catch (thrown) {
    if (thrown instanceof RangeError && thrown.message.includes('call stack'))
      return { success: false, issues: [TOO_DEEP] }
    throw thrown
  }
}
