/** The file of a module: a path relative to a folder, or an export of a package installed there or next to Myrmex. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

export function moduleFile(module: string, folder: string): string {
  const file = resolve(folder, module)
  if (module.startsWith('.') || existsSync(file)) return file
  return exportedFile(module, folder) ?? file
}

/** Returns undefined if there is no such package. Other errors of a package are thrown. */
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
