/**
 * Undo: a call with `_meta["myrmex/undo"]` runs the tool's `undo` instead of its `run`, with the same arguments and with the
 * data of the call that it undoes. It passes every gate, and returns the data that was undone.
 */
import { getOrMake } from '../protocol/get-or-make.ts'
import { issueTexts } from '../protocol/issue.ts'
import { compileSchema, type Schema } from '../protocol/schema.ts'
import { META } from '../protocol/versions.ts'
import type { Tool } from '../tool/tool.ts'
import type { Call } from './call.ts'
import { Outcome, refusal } from './outcome.ts'

/** Parses the undo data into the call; returns a failure if the call cannot be undone. */
export function checkUndo(call: Call): Outcome | undefined {
  const { tool, undoData } = call
  if (tool.undo === undefined) {
    return refusal(
      'ValidationError',
      `${tool.name} ${tool.version} cannot be undone: it declares no undo. Call it without _meta["${META.undo}"].`,
      { tool: tool.name, version: tool.version },
    )
  }
  const parsed = answered(tool).parse(undoData)
  if (parsed.success) {
    call.undoInput = parsed.data
    return undefined
  }
  return refusal(
    'SchemaError',
    `_meta["${META.undo}"] is not what ${tool.name} answers: ${issueTexts(parsed.issues)}`,
    {
      tool: tool.name,
      issues: parsed.issues.map((issue) => ({ ...issue })),
    },
  )
}

/** Undo data arrives as JSON, which a schema of JavaScript values, such as dates, would not accept. */
function answered({ output }: Tool): Schema {
  if (output.validates !== 'values') return output
  // A copy: the original carries Zod's own marks and would be taken for a Zod schema.
  return getOrMake(asJson, output, ({ json }) => compileSchema(JSON.parse(JSON.stringify(json)), 'output'))
}
const asJson = new WeakMap<Schema, Schema>()

export async function runUndo(call: Call): Promise<Outcome> {
  await call.tool.undo?.(call.input, call.undoInput, call)
  const data = call.undoData as Record<string, unknown> | null
  return new Outcome('success', data, null, 'What the call did was undone.', null)
}
