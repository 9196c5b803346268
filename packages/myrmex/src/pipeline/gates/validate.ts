/**
 * validate: the arguments must be JSON and fit the input schema. The error names every field that does not. A tool of ours that changes state
 * also refuses what its schema would drop, before a person approves it. An undo gets the arguments of its call.
 * A server behind a host judges its arguments itself, unless the operator wants otherwise or has a rule that reads them.
 * Only a caller in this process can send what JSON cannot hold, but anybody can send a member named `__proto__`.
 */
import { ToolError } from '../../protocol/errors.ts'
import { type Issue, issueTexts } from '../../protocol/issue.ts'
import type { Parsed, StepBudget } from '../../protocol/schema.ts'
import { isJson, toJson } from '../../protocol/serialise.ts'
import { droppedArguments } from '../../tool/dropped-arguments.ts'
import type { Tool } from '../../tool/tool.ts'
import { mismatchListener } from '../../tool/unchecked-arguments.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'
import { type CallEnd, type Outcome, refusal } from '../outcome.ts'
import type { Pipeline } from '../pipeline.ts'
import { readsArguments } from '../rules/reads-arguments.ts'
import { loadUndone } from '../undo.ts'

export const validate: Gate = (tool, next, pipeline) => {
  const { input, name } = tool
  const { secrets } = input
  const afterLoading = (call: Call, refused: Outcome | undefined): CallEnd | Promise<CallEnd> => refused ?? next(call)
  // Dates and URLs are written out, so that the tool and the audit get what a caller on a wire would have sent.
  const convert = (call: Call): void => {
    try {
      call.args = toJson(call.args, { what: 'arguments', secrets })
    } catch (thrown) {
      // Reading the arguments threw. Recording them would throw again.
      if ((thrown as Error).cause !== undefined) call.args = undefined
      throw thrown
    }
  }
  const judge = (call: Call): CallEnd | Promise<CallEnd> => {
    const parsed = parseArguments(tool, call.args ?? {}, call.caller.schemaSteps)
    if (parsed instanceof ToolError) return call.endWith(parsed)
    if (parsed.success) {
      call.input = parsed.data
      return next(call)
    }
    if (isPassedOn(tool, parsed.issues, pipeline)) {
      call.input = call.args ?? {}
      return next(call)
    }
    return refusal('SchemaError', `The arguments do not fit ${name}: ${issueTexts(parsed.issues)}`, {
      tool: name,
      issues: parsed.issues.map((issue) => ({ ...issue })),
    })
  }
  return (call) => {
    if (call.undoOf !== undefined) return proceed(call, loadUndone, afterLoading)
    return isCertainlyJson(call.args) ? judge(call) : proceed(call, convert, judge)
  }
}

/** The server of the tool is asked what it makes of arguments that do not fit. */
function isPassedOn(tool: Tool, issues: readonly Issue[], { policy, constitution }: Pipeline): boolean {
  const onMismatch = mismatchListener(tool)
  if (onMismatch === undefined || issues.includes(TOO_DEEP) || readsArguments(tool, policy, constitution)) return false
  onMismatch(issues)
  return true
}

function isCertainlyJson(args: unknown): boolean {
  try {
    return args === undefined || isJson(args)
  } catch {
    // A getter or a proxy of a caller in this process.
    return false
  }
}

/** Of a tool that only reads, a misspelled name changes nothing. The schema of an upstream is not the one that it checks by. */
const refusesDropped = ({ origin, destructive, undo }: Tool): boolean =>
  origin === 'own' && (destructive || undo !== undefined)

const TOO_DEEP: Issue = {
  path: '',
  constraint: 'must be nested less deeply',
  message: 'is nested too deeply to be checked',
  value: null,
}

/** Validators and copies are recursive: arguments of a few thousand levels exhaust their stack. */
export function parseArguments(tool: Tool, args: unknown, steps: StepBudget | undefined): Parsed | ToolError {
  const { input } = tool
  try {
    const parsed = input.parse(args, steps)
    if (!parsed.success || !refusesDropped(tool)) return parsed
    const issues = droppedArguments(input, args, parsed.data)
    return issues.length === 0 ? parsed : { success: false, issues }
  } catch (thrown) {
    // The schema turns out to be unusable, such as one that answers later.
    if (thrown instanceof ToolError) return thrown
    if (thrown instanceof RangeError && thrown.message.includes('call stack'))
      return { success: false, issues: [TOO_DEEP] }
    throw thrown
  }
}
