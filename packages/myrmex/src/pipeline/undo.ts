/**
 * Undoing: a call with `_meta["myrmex/undo"]` runs the tool's `undo` instead of its `run`, with the same arguments and with what
 * the call that is undone has answered. It passes every gate, and answers the data that was undone.
 */
import { compileSchema, type Schema } from '../protocol/schema.ts'
import { META } from '../protocol/versions.ts'
import type { Tool } from '../tool/tool.ts'
import type { Call } from './call.ts'
import { failure, Outcome } from './outcome.ts'

/** Why what is to be undone cannot be; nothing where it can, and then the call has it. */
export function checkUndo(call: Call): Outcome | undefined {
  const { tool, undoData } = call
  if (tool.undo === undefined) {
    return failure({
      error_type: 'ValidationError',
      error_message: `${tool.name} ${tool.version} cannot be undone: it declares no undo. Call it without _meta["${META.undo}"].`,
      error_details: { tool: tool.name, version: tool.version },
    })
  }
  const parsed = answered(tool).parse(undoData)
  if (parsed.success) {
    call.undoInput = parsed.data
    return undefined
  }
  const fields = parsed.issues.map((issue) => `${issue.path || '/'}: ${issue.message}`).join('; ')
  return failure({
    error_type: 'SchemaError',
    error_message: `_meta["${META.undo}"] is not what ${tool.name} answers: ${fields}`,
    error_details: { tool: tool.name, issues: parsed.issues.map((issue) => ({ ...issue })) },
  })
}

/** Results come back as JSON: a schema of values, such as dates, would not know them again. */
function answered({ output }: Tool): Schema {
  if (output.validates !== 'values') return output
  let schema = asJson.get(output)
  if (schema === undefined) {
    // A copy: what Zod makes remembers where it comes from, and would be taken for that.
    schema = compileSchema(JSON.parse(JSON.stringify(output.json)), 'output')
    asJson.set(output, schema)
  }
  return schema
}
const asJson = new WeakMap<Schema, Schema>()

/** Runs it; what it resolves to is how the call ends. */
export async function runUndo(call: Call): Promise<Outcome> {
  await call.tool.undo?.(call.input, call.undoInput, call)
  const data = call.undoData as Record<string, unknown> | null
  return new Outcome('success', data, null, 'What the call did was undone.', null)
}
