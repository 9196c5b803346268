/**
 * The definition of a tool in a document. For a rendered document it equals the original, with the same hash. Missing facts of a
 * hand-written one get safe values and are listed.
 */

import { ToolError } from '../protocol/errors.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import type { Example } from '../tool/tool.ts'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import { DEFAULT_VERSION } from '../tool/version.ts'
import type { DocumentExample, DocumentTool, JsonBlock, StatedValue } from './document.ts'

export interface DocumentDefinition {
  readonly body: ToolBody
  /** fields of the definition that the document says nothing of */
  readonly missing: readonly string[]
}

const NOTHING = 'The document does not say.'

export function definitionOf(tool: DocumentTool): DocumentDefinition {
  const missing: string[] = []
  const or = <T>(field: string, said: StatedValue<T> | undefined, otherwise: T): T => {
    if (said === undefined) missing.push(field)
    return said === undefined ? otherwise : said.value
  }
  const schema = (field: string, block: JsonBlock | undefined): JsonObject => {
    if (isObject(block?.value)) return block.value as JsonObject
    // A tool without data may say just that.
    if (field === 'outputSchema' && block?.value === null) return { type: 'null' }
    missing.push(field)
    return { type: 'object' }
  }
  const body: ToolBody = {
    name: or('name', tool.invocationName ?? tool.headingName, ''),
    version: or('version', tool.version, DEFAULT_VERSION),
    ...given('title', tool.title),
    description: or('description', tool.description, NOTHING),
    inputSchema: schema('inputSchema', tool.inputSchema),
    outputSchema: schema('outputSchema', tool.outputSchema),
    errors: Object.fromEntries(tool.errors.map(({ type, condition }) => [type, condition])),
    idempotent: or('idempotent', tool.idempotent, false),
    // Closed unless somebody says otherwise: then it waits for trust and approval.
    destructive: or('destructive', tool.destructive, true),
    security: or('security', tool.security, NOTHING),
    examples: tool.examples.flatMap(exampleOf),
    ...given('timeout', tool.timeout),
    ...given('limit', tool.limit),
    ...given('cacheTtl', tool.cacheTtl),
    ...given('deprecatedIn', tool.deprecatedIn),
    ...given('replacedBy', tool.replacedBy),
    ...given('task', tool.task),
    ...(tool.keyed?.value === true && { keyed: true as const }),
    ...(tool.undo?.value === true && { undo: true as const }),
    ...(tool.dryRun?.value === true && { dryRun: true as const }),
    ...given('migration', tool.migration),
    ...errorDetails(tool),
    ...(tool.text?.value === true && { text: true as const }),
    ...given('openWorld', tool.openWorld),
    ...given('icons', tool.icons),
    ...given('meta', tool.meta),
  }
  return { body, missing }
}

function errorDetails({ errors }: DocumentTool): Pick<ToolBody, 'errorDetails'> {
  const described = errors.flatMap(({ type, details }): [string, JsonObject][] =>
    isObject(details?.value) ? [[type, details.value as JsonObject]] : [],
  )
  return described.length === 0 ? {} : { errorDetails: Object.fromEntries(described) }
}

const given = (field: keyof DocumentTool & string, said: StatedValue<unknown> | undefined): object =>
  said === undefined ? {} : { [field]: said.value }

/** None where the call is not even JSON. */
function exampleOf({ title, call, result, formOnly }: DocumentExample): Example[] {
  const args = argumentsOf(call.value)
  if (args === undefined) return []
  const outcome = outcomeOf(result?.value, formOnly)
  return [{ ...(title !== undefined && { title }), arguments: args, ...outcome }]
}

/** As an envelope `{tool_name, arguments}`, as `tools/call` on the wire, or bare. */
export function argumentsOf(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined
  const inside = isObject(value.params) && value.method === 'tools/call' ? value.params : value
  const named = typeof inside.tool_name === 'string' || typeof inside.name === 'string'
  if (named && isObject(inside.arguments)) return inside.arguments
  // An envelope that leaves out what is empty.
  return typeof inside.tool_name === 'string' && Object.keys(inside).length === 1 ? {} : inside
}

function outcomeOf(value: unknown, formOnly: boolean): Pick<Example, 'data' | 'error'> {
  if (!isObject(value)) return {}
  const error = value.error
  if (isObject(error) && typeof error.error_type === 'string') return { error: error.error_type }
  // Other messages of the wire have no data, and a failure of an unknown type promises nothing.
  if (formOnly || 'jsonrpc' in value || (isEnvelope(value) && value.status === 'failure')) return {}
  return { data: isEnvelope(value) ? value.data : value }
}

/** Whether a result is an envelope, or the bare data. */
export const isEnvelope = (value: Record<string, unknown>): boolean =>
  typeof value.status === 'string' && ('data' in value || 'error' in value)

/** A schema that is there and cannot be read is not the same as none: it must not be lost on the way. */
export function assertReadable(tool: DocumentTool, name: string, file: string): void {
  if (name === '') {
    const { line } = tool.location
    throw ToolError.of('ValidationError', `${file}:${line}: the tool has no name. Add a section "Invocation Name".`)
  }
  const described = tool.errors.map(({ details }) => details)
  const blocks = [tool.inputSchema, tool.outputSchema, ...described, ...tool.examples.map(({ call }) => call)]
  for (const block of blocks) {
    const fault = block?.faults.find(({ tolerated }) => !tolerated)
    if (fault === undefined) continue
    throw ToolError.of('ValidationError', `${file}:${fault.location.line}: ${name}: not JSON: ${fault.message}`)
  }
}

/** For comparing: a schema or a version that is missing would be taken for one that says nothing. */
export function completeDefinition(tool: DocumentTool, file: string): ToolBody {
  const { body, missing } = definitionOf(tool)
  assertReadable(tool, body.name, file)
  const needed = missing.filter((field) => NEEDED.has(field))
  if (needed.length === 0) return body
  const { line } = tool.location
  const message = `${file}:${line}: ${body.name} cannot be compared: the document does not give ${needed.join(', ')}.`
  throw ToolError.of('ValidationError', message)
}

const NEEDED: ReadonlySet<string> = new Set(['version', 'inputSchema', 'outputSchema'])
