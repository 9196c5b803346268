/**
 * The file of a module: a path relative to a folder, or an export of a package that is installed next to Myrmex or there. What is
 * installed comes first, so that no folder can put another package in its place.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'

export function moduleFile(module: string, folder: string): string {
  const file = resolve(folder, module)
  if (module.startsWith('.') || existsSync(file)) return file
  return exportedFile(module, folder) ?? file
}

/** Returns undefined if there is no such package. Other errors of a package are thrown. */
export const exportedFile = (specifier: string, folder: string): string | undefined =>
  installedFile(specifier) ?? exportedIn(specifier, join(folder, 'package.json'))

/** Of a package that is installed next to Myrmex. */
export const installedFile = (specifier: string): string | undefined => exportedIn(specifier, import.meta.filename)

/** The folder whose node_modules has a package: the given one, or the nearest above it. */
export const packageFolder = (name: string, folder: string): string | undefined =>
  createRequire(join(folder, 'package.json'))
    .resolve.paths(name)
    ?.filter((place) => basename(place) === 'node_modules' && existsSync(join(place, name)))
    .map((place) => dirname(place))[0]

function exportedIn(specifier: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(specifier)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return undefined
  }
}
