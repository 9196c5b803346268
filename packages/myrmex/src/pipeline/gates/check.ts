/** check: a call fails if the tool returned something that is not JSON, breaks its output schema, or that clients cannot read. */
import { AnswerContent } from '../../protocol/content-schema.ts'
import { type ErrorDetail, ToolResultSchema } from '../../protocol/envelope.ts'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { constraintTexts, type Issue } from '../../protocol/issue.ts'
import { isObject, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { serializationError } from '../../protocol/not-json.ts'
import type { SecretNames } from '../../protocol/secret.ts'
import { toJson } from '../../protocol/serialise.ts'
import { issuesOf } from '../../protocol/zod-issue.ts'
import { Answer, type GivenError } from '../../tool/answer.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'
import { AnswersWaiting, type CallEnd, InputRequired, Outcome, refusal } from '../outcome.ts'

export const check: Gate = (tool, next) => {
  // Before this gate, what `run` returns is the tool's own value.
  const run = next as (call: Call) => unknown
  const judge = (call: Call, returned: unknown): CallEnd => {
    if (returned instanceof Outcome || returned instanceof InputRequired || returned instanceof RpcError)
      return call.answersWaiting === undefined ? returned : waitingForAnswers(call, returned)
    return accept(tool, call, returned instanceof Answer ? returned : undefined, returned)
  }
  return (call) => proceed(call, run, judge, rethrow)
}

/** The tool failed because it did not get the answers. A tool that went on without them says how that ended. */
function waitingForAnswers({ answersWaiting }: Call, ended: CallEnd): CallEnd {
  if (answersWaiting === undefined || (ended instanceof Outcome && ended.status !== 'failure')) return ended
  const { error_type, message: error_message, error_details } = answersWaiting
  return new AnswersWaiting('failure', null, { error_type, error_message, error_details }, null, null)
}

/** `run` ends calls with whatever their tools throw: anything else is our own fault, which `record` reports. */
const rethrow = (_call: Call, thrown: unknown): never => {
  throw thrown
}

/** `answer` is the returned value if it has more than data. */
function accept(tool: Tool, call: Call, answer: Answer<unknown> | undefined, returned: unknown): CallEnd {
  const { output } = tool
  const value = answer === undefined ? returned : answer.data
  try {
    const raw = value === undefined && !tool.hasData ? null : value
    const { validates, secrets } = output
    const parsed = output.parse(validates === 'json' ? toJson(raw, { secrets }) : raw)
    if (parsed.success) {
      const data = validates === 'values' ? toJson(parsed.data, { secrets }) : parsed.data
      return written(outcome(tool, answer, data as Record<string, unknown> | null))
    }
    refuseNonJson(raw, parsed.issues, secrets)
    return refusal(
      'ToolExecutionError',
      `${tool.name} returned data that breaks its output schema: ${constraintTexts(parsed.issues)}`,
      {
        tool: tool.name,
        // Location and rule only: the caller may not be allowed to see the value.
        issues: parsed.issues.map(({ path, constraint }) => ({ path, constraint })),
      },
    )
  } catch (thrown) {
    return call.endWith(thrown)
  }
}

/** Data may break its schema because JSON cannot hold it at all, such as a promise whose `await` was forgotten. Then this is the error. */
function refuseNonJson(value: unknown, issues: readonly Issue[], secrets: SecretNames): void {
  for (const { path } of issues) {
    const at = pointerSteps(path)
    const found = valueAtPath(value, at)
    // A missing member is no value at all, unless a list has it.
    if (found !== undefined || Array.isArray(valueAtPath(value, at.slice(0, -1)))) toJson(found, { at, secrets })
  }
}

/** The audit needs the text in any case. Writing it now makes what cannot be written an error of the tool, and is the last time it is read. */
function written(ended: Outcome): Outcome {
  if (ended.data === null || ended.forwarded !== null) return ended
  try {
    void ended.text
    return ended
  } catch (thrown) {
    const advice = 'Return a plain object without getters.'
    throw serializationError(
      'an object that changes or throws as it is read',
      advice,
      { what: 'result', path: [] },
      thrown,
    )
  }
}

/** Throws for what is beside the data unless clients can read it: they reject the whole result because of one bad part. */
function outcome(tool: Tool, answer: Answer<unknown> | undefined, data: Record<string, unknown> | null): Outcome {
  if (answer === undefined) return new Outcome('success', data, null, null, null)
  const { status, forwarded } = answer
  const explanation = typeof answer.explanation === 'string' ? answer.explanation : asJson(answer, 'explanation')
  const error = completed(asJson(answer, 'error'))
  const content = forwarded === null ? asJson(answer, 'content') : null
  const issues = [
    ...(error === null && (explanation === null || typeof explanation === 'string')
      ? []
      : issuesOf(ToolResultSchema, { status, error, explanation })),
    ...(content === null ? [] : issuesOf(AnswerContent, { content })),
  ]
  if (issues.length === 0) return new Outcome(status, data, error, explanation, content, forwarded)
  throw ToolError.of(
    'ToolExecutionError',
    `${tool.name} returned an answer that is not valid: ${constraintTexts(issues)}`,
    { tool: tool.name, issues: issues.map(({ path, constraint }) => ({ path, constraint })) },
  )
}

/** Only an object can be completed; anything else is judged as it is. */
const completed = (error: GivenError | null): ErrorDetail | null =>
  isObject(error) ? { error_details: null, ...error } : error

function asJson<Part extends 'explanation' | 'error' | 'content'>(
  answer: Answer<unknown>,
  part: Part,
): Answer<unknown>[Part] {
  const value = answer[part]
  return value === null ? value : (toJson(value, { at: [part] }) as Answer<unknown>[Part])
}
