/** validate: the arguments fit the input schema, and what is to be undone the output schema; or what does not is named. */

import type { Gate } from '../gate.ts'
import { failure } from '../outcome.ts'
import { checkUndo } from '../undo.ts'

export const validate: Gate = (tool, next) => {
  const { input, name } = tool
  return (call) => {
    const parsed = input.parse(call.args ?? {})
    if (parsed.success) {
      call.input = parsed.data
      return call.undoData === undefined ? next(call) : (checkUndo(call) ?? next(call))
    }
    const fields = parsed.issues.map((issue) => `${issue.path || '/'}: ${issue.message}`).join('; ')
    return failure({
      error_type: 'SchemaError',
      error_message: `The arguments do not fit ${name}: ${fields}`,
      error_details: { tool: name, issues: parsed.issues.map((issue) => ({ ...issue })) },
    })
  }
}
