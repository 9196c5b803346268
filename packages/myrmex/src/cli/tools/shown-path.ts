/** Paths in messages about tool files: relative to the working directory if they are below it, otherwise absolute. */
import { isAbsolute, relative, sep } from 'node:path'
import { workingDirectory } from '../../serve/command-folder.ts'
import type { FailedModule } from '../../tool/discovery/load-error.ts'

export function shownPath(file: string): string {
  const here = workingDirectory()
  if (here === undefined) return file
  const path = relative(here, file)
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? file : path
}

/** With its paths as they are shown, also those in its message. */
export const shownFailure = (failure: FailedModule): FailedModule => ({
  ...failure,
  module: shownPath(failure.module),
  file: shownPath(failure.file),
  error: withShownPaths(failure.error),
})

/** A path begins where a word begins, so that no part of another path or of a URL is taken for one. */
function withShownPaths(text: string): string {
  const here = workingDirectory()
  if (here === undefined || here.endsWith(sep)) return text
  return text.replace(new RegExp(`(?<![^\\s'"(])${RegExp.escape(here + sep)}`, 'g'), '')
}
