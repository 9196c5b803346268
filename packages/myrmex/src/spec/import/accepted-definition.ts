/**
 * Only what `tool()` accepts stays in an imported definition. `tool()` itself decides, so that no rule exists twice: if it rejects the
 * definition, the parts are added one by one, and those that it rejects are left out and reported.
 */
import type { ToolError } from '../../protocol/errors.ts'
import { isObject, PROTO, pathToProto } from '../../protocol/json.ts'
import { type ToolDefinition, tool } from '../../tool/tool.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { DocumentTool, TextLocation } from '../document.ts'
import { type TimeLimit, TOO_SLOW } from '../lint/time-limit.ts'
import { definitionFields, functionNames } from './definition-fields.ts'
import type { ToolNotes } from './notes.ts'

export function acceptedDefinition(given: ToolBody, tool: DocumentTool, notes: ToolNotes, limit: TimeLimit): ToolBody {
  const body = withoutProtoMembers(given, notes)
  if (faultOf(body, limit) === undefined) return body
  const isAccepted = (field: string, candidate: ToolBody): boolean => {
    const fault = faultOf(candidate, limit)
    if (fault !== undefined)
      notes.add(locationOf(tool, field), `${LABELS[field] ?? `"${field}"`} was left out: ${fault}`)
    return fault === undefined
  }
  const required = Object.entries(body).filter(([field]) => REQUIRED.has(field))
  let accepted = { ...Object.fromEntries(required), ...EMPTY } as unknown as ToolBody
  for (const [field, value] of Object.entries(body)) {
    const candidate = { ...accepted, [field]: value }
    if (field !== 'examples' && isAccepted(field, candidate)) accepted = candidate
  }
  const examples = body.examples.filter((example) => isAccepted('examples', { ...accepted, examples: [example] }))
  return { ...accepted, examples }
}

const EMPTY = { inputSchema: { type: 'object' }, outputSchema: { type: 'object' }, errors: {}, examples: [] } as const

/** A definition without them is none. Those that are not in EMPTY are made so that they are accepted. */
const REQUIRED = new Set([
  ...['name', 'version', 'description', 'idempotent', 'destructive', 'security'],
  ...Object.keys(EMPTY),
])

const LABELS: Readonly<Record<string, string>> = {
  inputSchema: 'The input schema',
  outputSchema: 'The output schema',
  errors: 'The list of errors',
  errorDetails: 'The form of the error details',
  examples: 'An example',
}

/** Why `tool()` rejects it. */
function faultOf(body: ToolBody, limit: TimeLimit): string | undefined {
  const functions = functionNames(body).map((name) => [name, () => {}])
  const definition = { ...definitionFields(body), ...Object.fromEntries(functions) } as ToolDefinition
  for (const [field, value] of Object.entries(definition))
    if (value === undefined) delete definition[field as keyof ToolDefinition]
  try {
    return limit.run(() => tool(definition)) === TOO_SLOW ? 'it takes too long to check.' : undefined
  } catch (error) {
    return sentence(error as ToolError)
  }
}

/** The tool is named beside the note. */
function sentence({ message, error_details }: ToolError): string {
  const faults = isObject(error_details) && Array.isArray(error_details.faults) ? error_details.faults : [message]
  return `${faults.join('; ').replace(/\.$/, '')}.`
}

function locationOf(tool: DocumentTool, field: string): TextLocation | undefined {
  const part: unknown = tool[field as keyof DocumentTool]
  return isObject(part) && isObject(part.location) ? (part.location as unknown as TextLocation) : undefined
}

/** A member of this name is not accepted anywhere. */
function withoutProtoMembers(body: ToolBody, notes: ToolNotes): ToolBody {
  const path = pathToProto(body)
  if (path === undefined) return body
  notes.add(undefined, `Members named ${PROTO} are not accepted (the first is /${path.join('/')}). They were left out.`)
  return withoutProto(body) as ToolBody
}

function withoutProto(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = key === 'required' ? value.filter((item) => item !== PROTO) : value
    return items.map((item) => withoutProto(item))
  }
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name]) => name !== PROTO)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutProto(member, name)]))
}
