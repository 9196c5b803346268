// The compile cache: Node executes what is in it instead of our source, so nobody else may write there. It is a folder in the user's own
// cache folder, and it is used only if this user and root alone can write it and every folder above it. Otherwise there is no cache.
// Plain JavaScript, because everything that is loaded before the cache is on is compiled at every start.
import { chmodSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { homedir, userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/** Returns why the command must not start, or undefined. */
export function useCompileCache() {
  // Node has turned it on already if the variable is set, and it cannot be turned off again.
  const given = getCompileCacheDir()
  if (given !== undefined) {
    if (isPrivate(given)) return undefined
    return `NODE_COMPILE_CACHE names ${process.env.NODE_COMPILE_CACHE}, which other users can write, and code in it would be executed. Unset it, or name a folder that only you can write.`
  }
  const folder = cacheFolder()
  if (folder === undefined) return undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return undefined
  }
  if (isPrivate(folder)) {
    enableCompileCache(folder)
    makePrivate(getCompileCacheDir() ?? folder)
  }
  return undefined
}

/** Node creates a folder for its version in it with the mode that the umask leaves. */
function makePrivate(folder) {
  try {
    if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
  } catch {
    // The folder above it is private in any case.
  }
}

/** The same folder as `userFolder('cache')` in src/ledger/user-folders.ts, which the sandbox hides. A test compares the two. */
export function cacheFolder(platform = process.platform) {
  const named = process.env[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'] ?? ''
  if (isAbsolute(named)) return join(named, 'myrmex', 'compile')
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find()
      if (isAbsolute(home)) return join(home, '.cache', 'myrmex', 'compile')
    } catch {
      // This user has no account, as in some containers.
    }
  }
  return undefined
}

/** Whether only this user and root can change what is in the folder, or put another in its place. Windows has access lists instead. */
function isPrivate(folder) {
  if (process.platform === 'win32') return true
  const uid = process.getuid()
  try {
    let path = realpathSync(folder)
    for (let isLast = true; ; isLast = false) {
      const { uid: owner, gid, mode } = statSync(path)
      if (owner !== uid && (isLast || owner !== 0)) return false
      // In a folder with the sticky bit, such as /tmp, others cannot replace what is not theirs. A group with the number of its user
      // has no other member: with such groups, new folders are often writable for them (umask 002).
      const isSticky = !isLast && (mode & 0o1000) !== 0
      const writers = gid === owner ? 0o002 : 0o022
      if ((mode & writers) !== 0 && !isSticky) return false
      const parent = dirname(path)
      if (parent === path) return true
      path = parent
    }
  } catch {
    return false
  }
}
