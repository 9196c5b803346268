/** validate: the arguments must fit the input schema and undo data the output schema. The error names every field that does not. */
import { issueTexts } from '../../protocol/issue.ts'
import type { Gate } from '../gate.ts'
import { refusal } from '../outcome.ts'
import { checkUndo } from '../undo.ts'

export const validate: Gate = (tool, next) => {
  const { input, name } = tool
  return (call) => {
    const parsed = input.parse(call.args ?? {})
    if (parsed.success) {
      call.input = parsed.data
      return call.undoData === undefined ? next(call) : (checkUndo(call) ?? next(call))
    }
    return refusal('SchemaError', `The arguments do not fit ${name}: ${issueTexts(parsed.issues)}`, {
      tool: name,
      issues: parsed.issues.map((issue) => ({ ...issue })),
    })
  }
}
