/**
 * The definition of a tool for code, from what a document says about it. It is always one that `tool()` accepts: what the document
 * lacks gets a safe value, what cannot be used is left out, and both are reported.
 */
import { isObject } from '../../protocol/json.ts'
import { PLAN_NAME } from '../../tool/name.ts'
import type { Example } from '../../tool/tool.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { DEFAULT_VERSION, isVersion } from '../../tool/version.ts'
import { definitionOf } from '../definition.ts'
import type { DocumentTool } from '../document.ts'
import { quoteText } from '../lint/show-value.ts'
import type { TimeLimit } from '../lint/time-limit.ts'
import { acceptedDefinition } from './accepted-definition.ts'
import { importedName } from './imported-name.ts'
import { importedSchema } from './imported-schema.ts'
import { ToolNotes } from './notes.ts'

export interface ImportedTool {
  readonly body: ToolBody
  /** fields of the definition that the document says nothing of */
  readonly missing: readonly string[]
  readonly notes: ToolNotes
  /** the name in the document has no module */
  readonly isBare: boolean
}

export function importedTool(tool: DocumentTool, module: string, limit: TimeLimit): ImportedTool {
  const notes = new ToolNotes(tool.location)
  const { body, missing } = definitionOf(tool)
  for (const { value, location } of tool.unread)
    notes.add(location, `The block is ${value}. Only its name and description were read.`)
  const input = importedSchema(tool, 'input', notes, limit)
  const output = importedSchema(tool, 'output', notes, limit)
  const { deprecatedIn, replacedBy, ...rest } = body
  const found: ToolBody = {
    ...rest,
    name: nameOf(tool, module, notes),
    version: versionOf(tool, notes),
    inputSchema: input.schema,
    outputSchema: output.schema,
    examples: examplesOf(tool, body.examples, output.schema.type === 'null', notes),
    ...deprecation(tool, notes),
  }
  const known = missing.filter((field) => field !== 'inputSchema' && field !== 'outputSchema' && field !== 'name')
  const unstated = [...(input.isMissing ? ['inputSchema'] : []), ...(output.isMissing ? ['outputSchema'] : [])]
  const isBare = !(tool.invocationName ?? tool.headingName)?.value.includes('.')
  const accepted = acceptedDefinition(found, tool, notes, limit)
  return { body: accepted, missing: [...known, ...unstated], notes, isBare }
}

function nameOf(tool: DocumentTool, module: string, notes: ToolNotes): string {
  const said = tool.invocationName ?? tool.headingName ?? tool.title
  if (said === undefined) {
    const name = importedName(`tool_${tool.location.line}`, module)
    notes.add(tool.location, `The tool has no name. It is imported as ${name}.`)
    return name
  }
  const name = importedName(said.value, module)
  // That a bare name got a module is reported once for all of them.
  if (name !== said.value && name !== `${module}.${said.value}`)
    notes.add(said.location, `${quoteText(said.value)} ${whyOther(said.value)}. It is imported as ${name}.`)
  return name
}

const whyOther = (name: string): string =>
  name === PLAN_NAME ? 'is reserved for plans' : 'is not a name of the form module.tool'

function versionOf({ version }: DocumentTool, notes: ToolNotes): string {
  if (version === undefined || isVersion(version.value)) return version?.value ?? DEFAULT_VERSION
  const meant = [`${version.value}.0`, `${version.value}.0.0`].find((one) => isVersion(one)) ?? DEFAULT_VERSION
  notes.add(version.location, `${quoteText(version.value)} is not a semantic version. It is imported as ${meant}.`)
  return meant
}

function deprecation({ deprecatedIn, replacedBy }: DocumentTool, notes: ToolNotes): Partial<ToolBody> {
  if (deprecatedIn !== undefined && !isVersion(deprecatedIn.value)) {
    notes.add(
      deprecatedIn.location,
      `Deprecated in ${quoteText(deprecatedIn.value)}, which is not a semantic version. It was left out.`,
    )
    return {}
  }
  if (deprecatedIn === undefined && replacedBy !== undefined) {
    notes.add(
      replacedBy.location,
      'The replacement was left out, because "Deprecated in" does not say since which version.',
    )
    return {}
  }
  return {
    ...(deprecatedIn !== undefined && { deprecatedIn: deprecatedIn.value }),
    ...(replacedBy !== undefined && { replacedBy: replacedBy.value }),
  }
}

/** An example whose call is not JSON is left out; data that no tool returns is left out of its example. */
function examplesOf(tool: DocumentTool, examples: readonly Example[], hasNoData: boolean, notes: ToolNotes): Example[] {
  for (const { call } of tool.examples) {
    const fault = call.faults.find(({ tolerated }) => !tolerated)
    if (fault !== undefined)
      notes.add(fault.location, `An example was left out, because its call is not JSON. ${fault.message}`)
  }
  return examples.map((example) => {
    if (!('data' in example) || (hasNoData ? example.data === null : isObject(example.data))) return example
    const { data: _data, ...rest } = example
    return rest
  })
}
