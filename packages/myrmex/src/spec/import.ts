/**
 * A `*.tools.ts` file to start from: every tool of a document as a definition that loads, with everything in it but the code.
 * One that `render` wrote gives back the definitions it was made from, to the hash.
 */
import { TOOL_NAME_PATTERN } from '../protocol/envelope.ts'
import { ToolError } from '../protocol/errors.ts'
import { readableJson } from '../tool/text/readable-json.ts'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import { isVersion } from '../tool/version.ts'
import { assertReadable, definitionOf } from './definition.ts'
import type { DocumentTool, SpecDocument, TextLocation } from './document.ts'

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

/** Reports what `tool()` would reject, with its line. */
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

export function exportNames(bodies: readonly Pick<ToolBody, 'name' | 'version'>[]): string[] {
  const taken = new Set<string>()
  return bodies.map(({ name, version }) => {
    const bare = name.slice(name.lastIndexOf('.') + 1)
    const choices = [camel(bare), camel(name), camel(`${name}_${version}`)]
    let chosen = choices.find((choice) => !taken.has(choice))
    for (let number = 2; chosen === undefined; number++) {
      const numbered = `${choices[0]}${number}`
      if (!taken.has(numbered)) chosen = numbered
    }
    taken.add(chosen)
    return chosen
  })
}

function camel(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')
  if (name === '') return 'unnamed'
  return isIdentifier(name) ? name : `tool${name[0]?.toUpperCase()}${name.slice(1)}`
}

/** The file imports `tool` and `ToolError`; the rest are words that the language keeps for itself. */
const KEPT = new Set(
  `tool ToolError await break case catch class const continue debugger default delete do else enum export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield arguments eval`.split(/\s+/),
)

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !KEPT.has(name)

const WIDTH = 120

export function toLiteral(value: unknown, indent: number): string {
  const inline = onOneLine(value)
  // Room for the name before it and the comma after it.
  if (inline.length + indent + 20 <= WIDTH || typeof value !== 'object' || value === null) return inline
  const pad = ' '.repeat(indent + 2)
  const lines = Array.isArray(value)
    ? value.map((item) => `${pad}${toLiteral(item, indent + 2)},`)
    : Object.entries(value).map(([name, item]) => `${pad}${key(name)}: ${toLiteral(item, indent + 2)},`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join('\n')}\n${' '.repeat(indent)}${close}`
}

function onOneLine(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  const members = Object.entries(value).map(([name, item]) => `${key(name)}: ${onOneLine(item)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** `__proto__: x` would set the prototype; with brackets it is a name like any other. */
const key = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)

/** Invisible characters are escaped, so that no document brings them into code. */
function quoted(text: string): string {
  const json = readableJson(text)
  if (text.includes("'") && !text.includes('"')) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
