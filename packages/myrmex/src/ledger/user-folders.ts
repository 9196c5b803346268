/**
 * The folders of Myrmex outside the projects: the registry of trusted folders is in `config`, compiled code in `cache`, and the ledgers of
 * servers that belong to no project in `data`. A relative or empty variable counts as unset. The sandbox hides what this function
 * returns, so nothing else may decide where these folders are. bin/compile-cache.js has the rule for `cache` once more, because it runs
 * before any TypeScript is loaded. A test compares the two.
 */
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

type UserFolder = 'config' | 'cache' | 'data'

const BASES = {
  config: { variable: 'XDG_CONFIG_HOME', windows: 'APPDATA', usual: '.config', mac: '.config' },
  cache: { variable: 'XDG_CACHE_HOME', windows: 'LOCALAPPDATA', usual: '.cache', mac: '.cache' },
  data: {
    variable: 'XDG_DATA_HOME',
    windows: 'LOCALAPPDATA',
    usual: join('.local', 'share'),
    mac: join('Library', 'Application Support'),
  },
} as const

/** Undefined if this user has none. */
export function userFolder(kind: UserFolder, platform: NodeJS.Platform = process.platform): string | undefined {
  const { variable, windows, usual, mac } = BASES[kind]
  const named = process.env[platform === 'win32' ? windows : variable] ?? ''
  if (isAbsolute(named)) return join(named, 'myrmex')
  const home = homeFolder()
  return home && join(home, platform === 'darwin' ? mac : usual, 'myrmex')
}

/** That of HOME, or of the user's account if HOME is not set or not a path. Undefined if this user has none. */
export function homeFolder(): string | undefined {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find()
      if (isAbsolute(home)) return home
    } catch {
      // This user has no account, as in some containers.
    }
  }
  return undefined
}
