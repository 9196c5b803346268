/**
 * What a machine can check of a tool before somebody trusts it: schemas that say something, texts that hide nothing and give
 * the model no orders, examples that keep to the schemas. Pure: nothing is run here; `runExamples` does that.
 */
import type { JsonObject } from '../../protocol/json.ts'
import { compileSchema, type Schema } from '../../protocol/schema.ts'
import { visibleDefinition } from '../hash.ts'
import type { Example, Limit, Tool } from '../tool.ts'
import { verifySchema } from './check-schemas.ts'
import { verifyTexts } from './check-texts.ts'
import { verifyExamples } from './examples.ts'
import type { VerifyFinding } from './finding.ts'

/** All that a caller can see of a tool, as the ledger keeps it. */
export interface ToolBody
  extends Pick<
    Tool,
    'name' | 'version' | 'description' | 'errors' | 'destructive' | 'idempotent' | 'security' | 'examples'
  > {
  readonly title?: string
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject
  readonly timeout?: number
  readonly limit?: Limit
  readonly cacheTtl?: number
  readonly deprecatedIn?: string
  readonly replacedBy?: string
  readonly task?: Tool['task']
  readonly keyed?: true
  readonly undo?: true
  readonly [more: string]: unknown
}

/** Keys are in the author's order. */
export const toolBody = (tool: Tool): ToolBody => JSON.parse(JSON.stringify(visibleDefinition(tool)))

/** A tool whose code is loaded: its own schemas check the examples, including rules that JSON Schema cannot express. */
export const verifyTool = (tool: Tool): VerifyFinding[] =>
  findingsFor(toolBody(tool), tool.input, tool.output, tool.examples)

/** A tool of which only the definition is known. */
export const verifyBody = (body: ToolBody): VerifyFinding[] =>
  findingsFor(body, compileSchema(body.inputSchema, 'input'), compileSchema(body.outputSchema, 'output'), body.examples)

function findingsFor(body: ToolBody, input: Schema, output: Schema, examples: readonly Example[]): VerifyFinding[] {
  const broken = [...unusable(input, '/inputSchema'), ...unusable(output, '/outputSchema')]
  return [
    ...broken,
    ...verifySchema(body.inputSchema, 'inputSchema'),
    ...verifySchema(body.outputSchema, 'outputSchema'),
    ...verifyTexts(body),
    ...(broken.length > 0 ? [] : verifyExamples({ input, output, errors: body.errors, examples })),
  ]
}

/** Schemas are compiled on first use, so a broken one has not been noticed yet. */
function unusable(schema: Schema, where: string): VerifyFinding[] {
  try {
    schema.parse({})
    return []
  } catch (error) {
    return [{ rule: 'unusable-schema', severity: 'error', where, message: `${(error as Error).message}.` }]
  }
}
