/**
 * The directory the tool may read: MYRMEX_FILE_BASE, or the working directory. It is resolved once, when the module loads, so that a
 * missing directory stops the server from starting instead of failing every call.
 */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ToolError } from 'myrmex'

export interface BaseDirectory {
  /** absolute, free of symbolic links */
  readonly real: string
  /** the ways a caller may spell it in an absolute path, as lists of names: resolved, and as it was configured */
  readonly spellings: readonly (readonly string[])[]
}

export function baseDirectory(configured: string = process.env.MYRMEX_FILE_BASE || process.cwd()): BaseDirectory {
  const spelled = resolve(configured)
  const real = directoryAt(spelled)
  return { real, spellings: [names(real), names(spelled)] }
}

/** Only the operator who starts the server reads this error, so it may name the directory. */
function directoryAt(path: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    throw new ToolError('RegistrationError', `MYRMEX_FILE_BASE: ${(error as Error).message}`, null, { cause: error })
  }
  throw new ToolError('RegistrationError', `MYRMEX_FILE_BASE: ${path} is not a directory`)
}

const names = (path: string): string[] => path.split('/').filter((name) => name !== '')

/** Whether a resolved absolute path is the base or below it. */
export const isWithin = ({ real }: BaseDirectory, path: string): boolean =>
  real === '/' || path === real || path.startsWith(`${real}/`)
