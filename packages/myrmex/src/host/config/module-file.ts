/** The file a module is in: a path, seen from a folder, or something that a package exports which is installed there or beside this one. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

export function moduleFile(module: string, folder: string): string {
  const file = resolve(folder, module)
  if (module.startsWith('.') || existsSync(file)) return file
  return exportedFile(module, folder) ?? file
}

/** Undefined: no such package. What else is wrong with one is for its user to hear. */
export function exportedFile(specifier: string, folder: string): string | undefined {
  for (const from of [join(folder, 'package.json'), import.meta.filename]) {
    try {
      return createRequire(from).resolve(specifier)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}
