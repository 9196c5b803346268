/**
 * A `*.tools.ts` file to start from: every tool of a document as a definition that loads, with everything in it but the code.
 * One that `render` wrote gives back the definitions it was made from, to the hash.
 */
import { TOOL_NAME_PATTERN } from '../protocol/envelope.ts'
import { ToolError } from '../protocol/errors.ts'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import { isVersion } from '../tool/version.ts'
import { assertReadable, definitionOf } from './definition.ts'
import type { DocumentTool, SpecDocument, TextLocation } from './document.ts'
import { toLiteral } from './import/literal.ts'
import { exportNames } from './import/names.ts'

export function importDocument(document: SpecDocument, file: string): string {
  if (document.tools.length === 0) {
    throw ToolError.of('ValidationError', `${file} describes no tool. myrmex spec lint ${file} says what it looks for.`)
  }
  const defined = document.tools.map((tool) => ({ tool, ...definitionOf(tool) }))
  for (const { tool, body } of defined) {
    assertReadable(tool, body.name, file)
    refuseUnusable(tool, body, file)
  }
  const names = exportNames(defined.map(({ body }) => body))
  const tools = defined.map(({ body, missing }, index) => toolSource(body, missing, names[index] as string))
  const origin = `/** Made by \`myrmex spec import\` from ${file.replaceAll('*/', '*\\/')}. Write what each tool does. */`
  return `${origin}\nimport { ToolError, tool } from 'myrmex'\n\n${tools.join('\n\n')}\n`
}

/** What `tool()` would not take is told here, with its line. */
function refuseUnusable(tool: DocumentTool, body: ToolBody, file: string): void {
  const refuse = (place: TextLocation | undefined, why: string): never => {
    throw ToolError.of('ValidationError', `${file}:${(place ?? tool.location).line}: ${body.name}: ${why}`)
  }
  const { name, version, inputSchema, outputSchema, deprecatedIn, replacedBy } = body
  if (!TOOL_NAME_PATTERN.test(name))
    refuse(
      (tool.invocationName ?? tool.headingName)?.location,
      'the name is not module.tool in lower case, digits and _.',
    )
  if (!isVersion(version))
    refuse(tool.version?.location, `${JSON.stringify(version)} is not a semantic version, such as 1.0.0.`)
  if (inputSchema.type !== 'object') refuse(tool.inputSchema?.location, 'the input schema must be of type "object".')
  if (outputSchema.type !== 'object' && outputSchema.type !== 'null')
    refuse(
      tool.outputSchema?.location,
      'the output schema must be of type "object", or "null" for a tool without data.',
    )
  if (deprecatedIn !== undefined && !isVersion(deprecatedIn))
    refuse(
      tool.deprecatedIn?.location,
      `deprecated in ${JSON.stringify(deprecatedIn)}, which is not a semantic version.`,
    )
  if (replacedBy !== undefined && deprecatedIn === undefined)
    refuse(tool.replacedBy?.location, 'it is replaced, but "Deprecated in" does not say since which version.')
}

const DEFAULTS: Readonly<Record<string, unknown>> = { timeout: 30_000, cacheTtl: 300, task: false }

function toolSource(body: ToolBody, missing: readonly string[], name: string): string {
  const { inputSchema: input, outputSchema: output, task, undo, name: canonicalName, version, ...rest } = body
  const { title, description, ...others } = rest
  const fields: [string, unknown][] = Object.entries({
    name: canonicalName,
    version,
    title,
    description,
    input,
    output,
    ...others,
    task: task === 'allowed' ? true : task,
  })
  const lines = fields
    .filter(([field, value]) => value !== undefined && value !== DEFAULTS[field])
    .flatMap(([field, value]) => [...noteFor(field, missing), `  ${field}: ${toLiteral(value, 2)},`])
  const functions = [...(undo === true ? ['undo'] : []), 'run'].flatMap((field) => [
    `  ${field}: () => {`,
    `    throw ToolError.of('ToolExecutionError', ${toLiteral(`${canonicalName} is not written yet.`, 4)})`,
    '  },',
  ])
  return `export const ${name} = tool({\n${[...lines, ...functions].join('\n')}\n})`
}

const FROM: Readonly<Record<string, string>> = { input: 'inputSchema', output: 'outputSchema' }

const noteFor = (field: string, missing: readonly string[]): string[] =>
  missing.includes(FROM[field] ?? field) ? ['  // The document does not say.'] : []
