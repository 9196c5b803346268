/**
 * Loads packages that only some users need, so that all others install less. If one is not installed, the error says which feature needs
 * it, and has the command that installs it.
 */
import { createRequire } from 'node:module'
import { ToolError } from './errors.ts'

/** `load` imports something that imports `packages`. `feature` begins the error. */
export async function loadOptional<T>(
  feature: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
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
