/**
 * Builds a definition from what another server lists about a tool. Missing facts are marked as unknown and assumed to be unsafe: the
 * tool may change state, and may do so again when repeated.
 */

import { canonical } from '../protocol/canonical.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'
import { TEXT_OUTPUT } from '../tool/output.ts'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import type { RemoteTool } from './connect.ts'

const UNKNOWN = 'Not specified by the server.'

/** `version` is the server's version, because most servers give their tools none. */
export function foreignDefinition(tool: RemoteTool, version: string): ToolBody {
  const { annotations = {}, _meta = {} } = tool
  const text = (key: string): string | undefined => (typeof _meta[key] === 'string' ? _meta[key] : undefined)
  const [deprecatedIn, replacedBy] = [text(META.deprecatedIn), text(META.replacedBy)]
  const title = tool.title ?? annotations.title
  return {
    name: text(META.name) ?? tool.name,
    version: text(META.version) ?? version,
    ...(typeof title === 'string' && { title }),
    description: tool.description?.trim() ? tool.description : UNKNOWN,
    inputSchema: tool.inputSchema as JsonObject,
    outputSchema: outputOf(tool),
    errors: {},
    idempotent: annotations.idempotentHint === true || annotations.readOnlyHint === true,
    destructive: annotations.readOnlyHint !== true,
    security: UNKNOWN,
    examples: [],
    ...(deprecatedIn !== undefined && { deprecatedIn }),
    ...(replacedBy !== undefined && { replacedBy }),
    ...(_meta[META.keyed] === true && { keyed: true as const }),
    ...(_meta[META.undo] === true && { undo: true as const }),
    ...(_meta[META.dryRun] === true && { dryRun: true as const }),
    ...(returnsText(tool) && { text: true as const }),
  }
}

/** A Myrmex server lists no output schema for such a tool. */
const returnsText = ({ outputSchema, _meta }: RemoteTool): boolean =>
  outputSchema === undefined && _meta?.[META.text] === true

/** A Myrmex server lists "data or ErrorDetail". The definition contains only the data schema. */
function outputOf(tool: RemoteTool): JsonObject {
  const { outputSchema, _meta } = tool
  if (returnsText(tool)) return TEXT_OUTPUT.json
  if (!isObject(outputSchema)) return _meta?.[META.name] === undefined ? { type: 'object' } : { type: 'null' }
  const [data, error, ...more] = Array.isArray(outputSchema.anyOf) ? outputSchema.anyOf : []
  const ours = isObject(data) && more.length === 0 && canonical(error) === OR_ERROR
  if (!ours) return outputSchema as JsonObject
  const { $defs } = outputSchema
  const text = JSON.stringify({ ...data, ...($defs !== undefined && { $defs }) })
  return JSON.parse(text, (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#\/anyOf\/0/, '#') : value,
  )
}

const OR_ERROR = canonical({ required: ['error_type', 'error_message'] })
