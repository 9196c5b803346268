/** The file a fleet's configuration means: a path, seen from its folder, or something that an installed package exports. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

export function moduleFile(module: string, folder: string): string {
  const file = resolve(folder, module)
  if (module.startsWith('.') || existsSync(file)) return file
  try {
    return createRequire(join(folder, 'package.json')).resolve(module)
  } catch {
    // Neither: whoever loads the file says that it is not there.
    return file
  }
}
