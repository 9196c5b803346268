/** check: what the tool returned is JSON and keeps the promise of the output schema, or the call is a failure. */
import { RpcError, toErrorDetail } from '../../protocol/errors.ts'
import { toJson } from '../../protocol/serialise.ts'
import { Answer } from '../../tool/answer.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, failure, InputRequired, isPromise, Outcome } from '../outcome.ts'

export const check: Gate = (tool, next) => (call) => {
  const returned: unknown = next(call)
  return isPromise(returned) ? returned.then((value) => judge(tool, call, value)) : judge(tool, call, returned)
}

function judge(tool: Tool, call: Call, returned: unknown): CallEnd {
  if (returned instanceof Outcome || returned instanceof InputRequired || returned instanceof RpcError) return returned
  return accept(tool, call, returned instanceof Answer ? returned : undefined, returned)
}

/** `answer` is what came with the data, where there is more than data. */
function accept(tool: Tool, call: Call, answer: Answer<unknown> | undefined, returned: unknown): Outcome {
  const { output } = tool
  const value = answer === undefined ? returned : answer.data
  try {
    const raw = value === undefined && !tool.hasData ? null : value
    const parsed = output.parse(output.validates === 'json' ? toJson(raw) : raw)
    if (parsed.success) {
      const data = output.validates === 'values' ? toJson(parsed.data) : parsed.data
      return outcome(answer, data as Record<string, unknown> | null)
    }
    const fields = parsed.issues.map((issue) => `${issue.path || '/'}: ${issue.message}`).join('; ')
    return failure({
      error_type: 'ToolExecutionError',
      error_message: `${tool.name} returned data that breaks its output schema: ${fields}`,
      // Where and which rule, but not the value: it is the tool's, and nobody has said the caller may see it.
      error_details: { tool: tool.name, issues: parsed.issues.map(({ path, constraint }) => ({ path, constraint })) },
    })
  } catch (thrown) {
    return failure(toErrorDetail(thrown, call.id))
  }
}

function outcome(answer: Answer<unknown> | undefined, data: Record<string, unknown> | null): Outcome {
  if (answer === undefined) return new Outcome('success', data, null, null, null)
  const { status, error, explanation, content, forwarded } = answer
  return new Outcome(status, data, error, explanation, content, forwarded)
}
