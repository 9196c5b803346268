/**
 * Loads packages that only some users need, so that all others install less. If one is not installed, the error says which feature needs
 * it, and has the command that installs it. Node would also take it from any folder above, such as `/tmp`: a package that another user
 * put there is refused.
 */
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ToolError } from '../protocol/errors.ts'
import { canOthersChange } from './private-folder.ts'

const PACKAGE_FOLDER = join(import.meta.dirname, '..', '..')

/** `load` imports something that imports `packages`. `feature` begins the error. */
export async function loadOptional<T>(
  feature: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  for (const name of packages) {
    const foreign = foreignPackage(name, PACKAGE_FOLDER)
    if (foreign !== undefined)
      throw ToolError.of(
        'PermissionError',
        `${feature} needs the package ${name}, and ${foreign} can be changed by another user. Run: ${installCommand(packages)}`,
      )
  }
  try {
    return await load()
  } catch (error) {
    const missing = missingPackage(error)
    if (missing === undefined || !packages.includes(missing)) throw error
    const message = `${feature} needs the package ${missing}, which is not installed. Run: ${installCommand(packages)}`
    throw ToolError.of('ValidationError', message, null, { cause: error })
  }
}

export const loadPostgres = <T>(load: () => Promise<T>): Promise<T> =>
  loadOptional('A ledger on PostgreSQL', ['pg', 'pg-boss'], load)

/**
 * Where Node would find a package that is not installed with ours, and that another user can change. What is in the nearest node_modules
 * that has our package is installed with it, no matter who owns that folder.
 */
export function foreignPackage(name: string, packageFolder: string): string | undefined {
  const places = createRequire(join(packageFolder, 'package.json')).resolve.paths(name) ?? []
  const place = places.findIndex((modules) => existsSync(join(modules, name)))
  const own = places.findIndex((modules) => realPathOf(join(modules, 'myrmex')) === realPathOf(packageFolder))
  if (place <= own) return undefined
  const found = join(places[place] as string, name)
  return canOthersChange(found) ? found : undefined
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Of the package itself, not of a file or of a dependency that its own installation lacks. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') return undefined
  return /^Cannot find package '([^']+)'/.exec(error.message)?.[1]
}

/** In versions that work with this one. */
export function installCommand(packages: readonly string[]): string {
  const { peerDependencies } = createRequire(import.meta.url)('../../package.json') as {
    peerDependencies: Record<string, string>
  }
  return `npm install ${packages.map((name) => `${name}@${peerDependencies[name]}`).join(' ')}`
}
