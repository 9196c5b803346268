/**
 * A `*.tools.ts` file to start from: every tool of a document as a definition that loads, with everything in it but the code.
 * One that `render` wrote gives back the definitions it was made from, to the hash.
 */
import { ToolError } from '../protocol/errors.ts'
import type { Body } from '../tool/verify.ts'
import { definitionOf } from './definition.ts'
import type { ReadTool, SpecDocument } from './document.ts'
import { literal } from './import/literal.ts'
import { exportNames } from './import/names.ts'

export function importDocument(document: SpecDocument, file: string): string {
  if (document.tools.length === 0) {
    throw new ToolError(
      'ValidationError',
      `${file} describes no tool. myrmex spec lint ${file} says what it looks for.`,
    )
  }
  const defined = document.tools.map((tool) => ({ tool, ...definitionOf(tool) }))
  for (const { tool, body } of defined) refuseUnreadable(tool, body, file)
  const names = exportNames(defined.map(({ body }) => body))
  const tools = defined.map(({ body, missing }, index) => toolSource(body, missing, names[index] as string))
  const origin = `/** Made by \`myrmex spec import\` from ${file.replaceAll('*/', '*\\/')}. Write what each tool does. */`
  return `${origin}\nimport { ToolError, tool } from 'myrmex'\n\n${tools.join('\n\n')}\n`
}

/** A schema that is there and cannot be read is not the same as none: it must not be lost on the way. */
function refuseUnreadable(tool: ReadTool, { name }: Body, file: string): void {
  if (name === '') {
    const { line } = tool.place
    throw new ToolError('ValidationError', `${file}:${line}: the tool has no name. Add a section "Invocation Name".`)
  }
  const blocks = [tool.inputSchema, tool.outputSchema, ...tool.examples.map(({ call }) => call)]
  for (const block of blocks) {
    const fault = block?.faults.find(({ forgiven }) => !forgiven)
    if (fault === undefined) continue
    throw new ToolError('ValidationError', `${file}:${fault.place.line}: ${name}: not JSON: ${fault.message}`)
  }
}

const DEFAULTS: Readonly<Record<string, unknown>> = { timeout: 30_000, cacheTtl: 300, task: false }

function toolSource(body: Body, missing: readonly string[], name: string): string {
  const { inputSchema: input, outputSchema: output, task, name: canonicalName, version, ...rest } = body
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
    .flatMap(([field, value]) => [...noteFor(field, missing), `  ${field}: ${literal(value, 2)},`])
  const run = [
    '  run: () => {',
    `    throw new ToolError('ToolExecutionError', ${literal(`${canonicalName} is not written yet.`, 4)})`,
    '  },',
  ]
  return `export const ${name} = tool({\n${[...lines, ...run].join('\n')}\n})`
}

const FROM: Readonly<Record<string, string>> = { input: 'inputSchema', output: 'outputSchema' }

const noteFor = (field: string, missing: readonly string[]): string[] =>
  missing.includes(FROM[field] ?? field) ? ['  // The document does not say.'] : []
