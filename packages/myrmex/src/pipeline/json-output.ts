/** The output schema of a tool for data that is JSON already: recorded, or given by middleware. */
import { getOrMake } from '../protocol/get-or-make.ts'
import { compileSchema, type Schema } from '../protocol/schema.ts'
import type { Tool } from '../tool/tool.ts'

/** A schema of JavaScript values, such as dates, would not accept JSON. */
export function jsonOutput({ output }: Tool): Schema {
  if (output.validates !== 'values') return output
  // A copy: the original carries Zod's own marks and would be taken for a Zod schema.
  return getOrMake(asJson, output, ({ json }) => compileSchema(JSON.parse(JSON.stringify(json)), 'output'))
}

const asJson = new WeakMap<Schema, Schema>()
