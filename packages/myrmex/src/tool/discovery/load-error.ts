/**
 * Why a module file did not load, and where: the file, line and column of a syntax error, of a missing import, or of the line that threw. It
 * may be in a file that the module imports.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { childProcess } from '../../protocol/builtin.ts'
import { messageOf, ToolError } from '../../protocol/errors.ts'
import { filePath, projectFrames, type SourceLocation, stackOf, withoutEdition } from '../source-location.ts'

/** A module that is not served, and why. */
export interface FailedModule {
  module: string
  error: string
  error_type: string
  /** where the error is: in the module, or in a file that it imports */
  file: string
  /** from 1; absent if only the file is known */
  line?: number
  column?: number
}

/** Thrown if a module does not load. Its message begins with the location. */
export class LoadError extends ToolError {
  readonly failure: FailedModule

  constructor(failure: FailedModule, cause: unknown) {
    super('RegistrationError', describeFailure(failure), null, { cause })
    this.failure = failure
  }
}

/** `file:line:column: type: message`, as far as they are known. */
export const describeFailure = (failure: FailedModule): string =>
  `${failurePlace(failure)}: ${failure.error_type}: ${failure.error}`

/** `file:line:column`, or the file alone. */
export const failurePlace = ({ file, line, column }: FailedModule): string =>
  line === undefined ? file : `${file}:${line}:${column}`

/** The error that was thrown while this module was loaded. */
export async function loadError(module: string, thrown: unknown): Promise<LoadError> {
  const { message, location } = await explain(module, thrown)
  return new LoadError({ ...moduleFailure(module, thrown), error: message, ...(location ?? { file: module }) }, thrown)
}

export function moduleFailure(module: string, thrown: unknown): FailedModule {
  if (thrown instanceof LoadError) return thrown.failure
  const error_type = thrown instanceof ToolError ? thrown.error_type : thrown instanceof Error ? thrown.name : 'Error'
  return { module, error: withoutEdition(messageOf(thrown)), error_type, file: module }
}

interface Explanation {
  readonly message: string
  readonly location: SourceLocation | undefined
}

async function explain(module: string, thrown: unknown): Promise<Explanation> {
  const message = withoutEdition(messageOf(thrown))
  const stack = stackOf(thrown)
  const known = markedLocation(stack) ?? jsonLocation(message)
  if (known !== undefined) return { message, location: known }
  const missing = await missingImport(message, thrown)
  if (missing !== undefined) return missing
  const [frame] = projectFrames(stack)
  if (frame !== undefined) return { message, location: frame }
  // Node does not say where a syntax error in JavaScript is.
  return { message, location: thrown instanceof SyntaxError ? await findSyntaxError(module) : undefined }
}

/** As V8 and the TypeScript parser mark it: `file:line`, the line itself, and carets below the location. */
function markedLocation(text: string): SourceLocation | undefined {
  const [, at = '', line] = /^(\S.*):(\d+)\n/.exec(text) ?? []
  const file = filePath(at)
  const caret = /^([ \t]*)\^+[ \t]*$/m.exec(text)
  if (file === undefined || caret === null) return undefined
  return { file, line: Number(line), column: (caret[1] as string).length + 1 }
}

function jsonLocation(message: string): SourceLocation | undefined {
  const [, file, line, column] = /^(\S.*?\.json): .*\(line (\d+) column (\d+)\)$/s.exec(message) ?? []
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) }
}

/** Node names the importing file and what the import resolved to, but neither the line nor what is written there. */
async function missingImport(message: string, thrown: unknown): Promise<Explanation | undefined> {
  const [, what, found = '', file] =
    /^(Cannot find (?:module|package)|Directory import) '(.+?)'.* imported from (.+)$/s.exec(message) ?? []
  if (what === undefined || file === undefined) return undefined
  const { url } = thrown as { url?: unknown }
  const isIt = (specifier: string): boolean =>
    specifier === found ||
    specifier.startsWith(`${found}/`) ||
    (typeof url === 'string' &&
      isPath(specifier) &&
      new URL(specifier, pathToFileURL(file)).href === withoutEdition(url))
  const written = (await importsOf(file)).find(({ specifier }) => isIt(specifier))
  if (written === undefined) return { message, location: undefined }
  return { message: message.replace(found, () => written.specifier), location: written }
}

interface WrittenImport extends SourceLocation {
  readonly specifier: string
}

/** The imports that are written in a file. Found by their looks, which is enough to point at one that is known to be there. */
async function importsOf(file: string): Promise<WrittenImport[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (/^\s*(\/\/|\*)/.test(line)) return []
    return [...line.matchAll(/\b(?:from|import|require)\s*\(?\s*(['"])(.+?)\1/g)].map((match) => ({
      specifier: match[2] as string,
      file,
      line: index + 1,
      column: match.index + match[0].length - (match[2] as string).length - 1,
    }))
  })
}

const isPath = (specifier: string): boolean => /^(\.{0,2}\/|file:)/.test(specifier)

const PARSE_LIMIT_MS = 10_000

/** The first of a module and the files that it imports which Node cannot parse, as another process reports it: nothing is executed. */
async function findSyntaxError(module: string): Promise<SourceLocation | undefined> {
  const program = new URL(import.meta.url.endsWith('.ts') ? './parse-files.ts' : './parse-files.js', import.meta.url)
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const args = [...options, fileURLToPath(program), module]
  const parsed = promisify(childProcess().execFile)(process.execPath, args, { timeout: PARSE_LIMIT_MS })
  return parsed.then(
    () => undefined,
    ({ stderr }) => markedLocation(String(stderr)),
  )
}
