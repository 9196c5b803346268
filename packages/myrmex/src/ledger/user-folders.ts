/**
 * The folders of Myrmex outside the projects: the registry of trusted folders is in `config`, compiled code in `cache`. A relative or empty
 * variable counts as unset. The sandbox hides what this function returns, so nothing else may decide where these folders are.
 * bin/compile-cache.js has the rule for `cache` once more, because it runs before any TypeScript is loaded. A test compares the two.
 */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

type UserFolder = 'config' | 'cache'

const BASES = {
  config: { variable: 'XDG_CONFIG_HOME', windows: 'APPDATA', usual: '.config' },
  cache: { variable: 'XDG_CACHE_HOME', windows: 'LOCALAPPDATA', usual: '.cache' },
} as const

/** Undefined if this user has none. */
export function userFolder(kind: UserFolder, platform: NodeJS.Platform = process.platform): string | undefined {
  const { variable, windows, usual } = BASES[kind]
  const named = process.env[platform === 'win32' ? windows : variable] ?? ''
  if (isAbsolute(named)) return join(named, 'myrmex')
  try {
    const home = homedir()
    return isAbsolute(home) ? join(home, usual, 'myrmex') : undefined
  } catch {
    // This user has no home folder.
    return undefined
  }
}
