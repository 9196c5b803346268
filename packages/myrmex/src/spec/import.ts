/**
 * A `*.tools.ts` file to start from: every tool of a document as a definition that loads, with everything in it but the code. A
 * document that `render` wrote gives back the definitions it was made from, to the hash. Parts that cannot be used are left out,
 * and a comment says which and where.
 */
import { ToolError } from '../protocol/errors.ts'
import { plural } from '../protocol/text.ts'
import type { DocumentTool, SpecDocument } from './document.ts'
import { comment, exportNames, toLiteral, UniqueNames } from './import/code.ts'
import { definitionFields, functionNames } from './import/definition-fields.ts'
import { isModule, moduleOf } from './import/imported-name.ts'
import { type ImportedTool, importedTool } from './import/imported-tool.ts'
import type { ImportNote } from './import/notes.ts'
import { TimeLimit } from './lint/time-limit.ts'

export interface ImportOptions {
  /** for names without a module */
  readonly module?: string | undefined
  /** the one if none was given, which is reported; default: the folder of the file */
  readonly defaultModule?: string
}

export interface ImportedDocument {
  /** TypeScript */
  readonly source: string
  readonly tools: number
  readonly notes: readonly ImportNote[]
}

/** Only the code. */
export const importDocument = (document: SpecDocument, file: string, options: ImportOptions = {}): string =>
  importTools(document, file, options).source

/** Throws if the document has no tool. */
export function importTools(document: SpecDocument, file: string, options: ImportOptions = {}): ImportedDocument {
  const { defaultModule = moduleOf(file), module = defaultModule } = options
  if (!isModule(module)) {
    const message = `${JSON.stringify(module)} cannot be a module. Write lower-case letters, digits and _, such as "shop".`
    throw ToolError.of('ValidationError', message)
  }
  const filled = document.tools.filter(({ isPlaceholder }) => !isPlaceholder)
  if (filled.length === 0) throw ToolError.of('ValidationError', nothingIn(document, file))
  const limit = new TimeLimit()
  const imported = distinct(filled.map((tool) => importedTool(tool, module, limit)))
  const guessed = options.module === undefined ? module : undefined
  const notes = [...notesOnAll(document.tools, imported, guessed), ...notesOnTools(imported)]
  return { source: sourceOf(imported, notes, file), tools: imported.length, notes }
}

function nothingIn({ tools, saysNoTool }: SpecDocument, file: string): string {
  if (tools[0] !== undefined) return `${file}:${tools[0].location.line}: this is a template. Fill it in first.`
  if (saysNoTool !== undefined) return `${file}:${saysNoTool.line} says that there is no tool.`
  return `${file} describes no tool. myrmex spec lint ${file} says what it looks for.`
}

/** Two tools of one name and version cannot be loaded: the second gets a number. */
function distinct(tools: readonly ImportedTool[]): ImportedTool[] {
  const versions = new Map<string, UniqueNames>()
  return tools.map((one) => {
    const { name, version } = one.body
    const names = versions.get(version) ?? new UniqueNames()
    versions.set(version, names)
    const unique = names.take(name, '_')
    if (unique === name) return one
    one.notes.add(undefined, `${name} ${version} is specified twice. This one is imported as ${unique}.`)
    return { ...one, body: { ...one.body, name: unique } }
  })
}

function notesOnAll(
  tools: readonly DocumentTool[],
  imported: readonly ImportedTool[],
  guessed: string | undefined,
): ImportNote[] {
  const placeholders = tools.filter(({ isPlaceholder }) => isPlaceholder)
  const notes = placeholders.map(({ location }) => ({ location, message: 'The blanks of a template were left out.' }))
  const bare = imported.filter(({ isBare }) => isBare)
  const [first] = bare
  if (first !== undefined && guessed !== undefined) {
    const names = plural(bare.length, 'name has no module and got', 'names have no module and got')
    notes.push({ location: first.notes.start, message: `${names} "${guessed}". Choose another with --module.` })
  }
  return notes.map((note) => ({ ...note, tool: undefined }))
}

const notesOnTools = (tools: readonly ImportedTool[]): ImportNote[] =>
  tools.flatMap(({ body, notes }) => notes.all.map((note) => ({ ...note, tool: body.name })))

function sourceOf(tools: readonly ImportedTool[], notes: readonly ImportNote[], file: string): string {
  const names = exportNames(tools.map(({ body }) => body))
  const definitions = tools.map((one, index) => toolSource(one, names[index] as string))
  const origin = `/** Made by \`myrmex spec import\` from ${file.replaceAll('*/', '*\\/')}. Write what each tool does. */`
  const parts = [`${origin}\nimport { ToolError, tool } from 'myrmex'`, ...definitions, ...summary(notes)]
  return `${parts.join('\n\n')}\n`
}

/** What to look at, at the end of the file. */
function summary(notes: readonly ImportNote[]): string[] {
  if (notes.length === 0) return []
  const lines = notes.map(({ location, tool, message }) =>
    comment(`line ${location.line}: ${tool === undefined ? '' : `${tool}: `}${message}`),
  )
  const parts = plural(notes.length, 'part of the document needs', 'parts of the document need')
  return [[comment(`${parts} a look:`), ...lines].join('\n')]
}

const DEFAULTS: Readonly<Record<string, unknown>> = { timeout: 30_000, cacheTtl: 300, task: false }

function toolSource({ body, missing, notes }: ImportedTool, name: string): string {
  const lines = Object.entries(definitionFields(body))
    .filter(([field, value]) => value !== undefined && value !== DEFAULTS[field])
    .flatMap(([field, value]) => [...noteFor(field, missing), `  ${field}: ${toLiteral(value, 2)},`])
  const functions = functionNames(body).flatMap((field) => [
    `  ${field}: () => {`,
    `    throw ToolError.of('ToolExecutionError', ${toLiteral(`${body.name} is not written yet.`, 4)})`,
    '  },',
  ])
  const remarks = notes.all.map(({ location, message }) => `${comment(`Line ${location.line}: ${message}`)}\n`)
  return `${remarks.join('')}export const ${name} = tool({\n${[...lines, ...functions].join('\n')}\n})`
}

const FROM: Readonly<Record<string, string>> = { input: 'inputSchema', output: 'outputSchema' }

const noteFor = (field: string, missing: readonly string[]): string[] =>
  missing.includes(FROM[field] ?? field) ? ['  // The document does not say.'] : []
