/**
 * What a machine can check of a tool before somebody trusts it: schemas that say something, texts that hide nothing and give
 * the model no orders, examples that keep to the schemas. Pure: nothing is run here; `runExamples` does that.
 */
import type { JsonObject } from '../../protocol/json.ts'
import { compileSchema, type Schema } from '../../protocol/schema.ts'
import { listingOf, visibleDefinition } from '../hash.ts'
import type { Example, Limit, Tool } from '../tool.ts'
import { upstreamListing } from '../upstream-listing.ts'
import { verifySchema } from './check-schemas.ts'
import { tooDeep } from './definition-texts.ts'
import { verifyExamples } from './examples.ts'
import type { VerifyFinding } from './finding.ts'
import type { ScanContext } from './scan/context.ts'
import { scanDefinition } from './scan/scan-definition.ts'

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
  readonly dryRun?: true
  readonly migration?: string
  /** the JSON Schemas of `error_details` of those errors that declare one */
  readonly errorDetails?: Readonly<Record<string, JsonObject>>
  readonly text?: true
  readonly openWorld?: boolean
  readonly [more: string]: unknown
}

/** Keys are in the author's order. */
export const toolBody = (tool: Tool): ToolBody => JSON.parse(JSON.stringify(visibleDefinition(tool)))

/** What is known about the origin of a tool. */
export interface VerifyOptions {
  /** names of the server's own tools, and of others, for the scanner */
  readonly context?: ScanContext
  /** Default: what the tool says, or `own`. */
  readonly origin?: Tool['origin']
}

/** A tool whose code is loaded: its own schemas check the examples, including rules that JSON Schema cannot express. */
export const verifyTool = (tool: Tool, { context = {}, origin = tool.origin }: VerifyOptions = {}): VerifyFinding[] =>
  origin === 'upstream'
    ? foreignFindings(upstreamListing(tool) ?? textsOfServer(toolBody(tool)), tool.input, tool.output, context)
    : findingsFor(toolBody(tool), tool.input, tool.output, tool.examples, context)

/** A tool of which only the definition is known. Of an upstream's tool the same texts are scanned as by the host: those of its listing. */
export function verifyBody(body: ToolBody, { context = {}, origin = 'own' }: VerifyOptions = {}): VerifyFinding[] {
  const input = compileSchema(body.inputSchema, 'input', 'foreign')
  const output = compileSchema(body.outputSchema, 'output', 'foreign')
  return origin === 'upstream'
    ? foreignFindings(listingOf(body) ?? textsOfServer(body), input, output, context)
    : findingsFor(body, input, output, body.examples, context)
}

/** The definition of an upstream's tool without the texts that Myrmex itself puts in, which say nothing about the server. */
const textsOfServer = ({ security: _security, errors: _errors, ...body }: ToolBody): object => body

/**
 * Of somebody else's tool only what matters for trust is reported: texts that attack, and schemas that cannot be used or read. Missing
 * examples, descriptions and types are for its author.
 */
const foreignFindings = (body: object, input: Schema, output: Schema, context: ScanContext): VerifyFinding[] => [
  ...unusable(input, '/inputSchema'),
  ...unusable(output, '/outputSchema'),
  ...tooDeep(body),
  ...scanDefinition(body, context),
]

function findingsFor(
  body: ToolBody,
  input: Schema,
  output: Schema,
  examples: readonly Example[],
  context: ScanContext,
): VerifyFinding[] {
  const broken = [...unusable(input, '/inputSchema'), ...unusable(output, '/outputSchema')]
  return [
    ...broken,
    ...verifySchema(body.inputSchema, 'inputSchema'),
    ...verifySchema(body.outputSchema, 'outputSchema'),
    ...scanDefinition(body, { ...context, rulesOnly: true }),
    ...(broken.length > 0 ? [] : verifyExamples({ input, output, errors: body.errors, examples })),
  ]
}

/** Schemas are compiled on first use, so a broken one has not been noticed yet. */
function unusable(schema: Schema, where: string): VerifyFinding[] {
  try {
    schema.parse({})
    return []
  } catch (error) {
    return [{ rule: 'unusable-schema', grade: 'block', where, message: `${(error as Error).message}.` }]
  }
}
