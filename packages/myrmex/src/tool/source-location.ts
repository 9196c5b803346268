/**
 * Locations in source files, read from stack traces: where something was thrown, and where a definition was made. Frames of Myrmex, of Node
 * and of packages are skipped, because their readers look for a line of their own.
 */
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The query parameter that makes Node load a changed file again. It is in the URLs of frames and messages, and nobody needs to see it. */
export const EDITION = 'myrmex-edition'

const EDITION_QUERY = new RegExp(`\\?${EDITION}=[\\w.]+`, 'g')

export const withoutEdition = (text: string): string => text.replace(EDITION_QUERY, '')

export const showLocation = ({ file, line, column }: SourceLocation): string => `${file}:${line}:${column}`

/** The sources of Myrmex, or what was compiled from them. */
const OWN_FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** Files of Myrmex itself and of installed packages are not the user's, and do not change while a program runs. */
export const isProjectFile = (file: string): boolean =>
  !file.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/.test(file)

/** The stack of an error as text. It may have been replaced, also by something that throws when it is read. */
export function stackOf(thrown: unknown): string {
  try {
    const { stack } = thrown as Error
    return typeof stack === 'string' ? stack : ''
  } catch {
    return ''
  }
}

/**
 * The project's frames of a stack, the innermost first. They end where Node's module loader waits: below that are the functions that
 * imported the file, which are not to blame.
 */
export function projectFrames(stack: string): SourceLocation[] {
  const found: SourceLocation[] = []
  for (const line of stack.split('\n')) {
    const frame = /^\s+at (async )?(.*)$/.exec(line)
    if (frame === null) continue
    const [, isAsync, text = ''] = frame
    if (isAsync !== undefined && text.includes('node:internal/modules/')) break
    const location = frameLocation(text)
    if (location !== undefined && isProjectFile(location.file)) found.push(location)
  }
  return found
}

function frameLocation(text: string): SourceLocation | undefined {
  const inner = text.endsWith(')') ? text.slice(text.lastIndexOf(' (') + 2, -1) : text
  const [, at = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(withoutEdition(inner)) ?? []
  const file = filePath(at)
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) }
}

/** The path of a file URL or an absolute path; undefined if it is neither. */
export function filePath(text: string): string | undefined {
  const at = withoutEdition(text)
  if (!at.startsWith('file:')) return isAbsolute(at) ? at : undefined
  try {
    return fileURLToPath(at)
  } catch {
    return undefined
  }
}

/** Stack traces that are formatted only if somebody asks, which takes most of their time. */
const stacks = new WeakMap<object, { readonly stack?: string }>()

/** Remembers that the caller of `maker` made this definition. Takes a few microseconds. */
export function noteDefinition(made: object, maker: (...args: never[]) => unknown): void {
  const trace = {}
  Error.captureStackTrace(trace, maker)
  stacks.set(made, trace)
}

/** Where a definition was made; with a file, the line of that file from which it was made. Undefined if nobody knows. */
export function definitionLocation(made: object, file?: string): SourceLocation | undefined {
  const trace = stacks.get(made)
  if (trace === undefined) return undefined
  return projectFrames(`${trace.stack}`).find((frame) => file === undefined || frame.file === file)
}
