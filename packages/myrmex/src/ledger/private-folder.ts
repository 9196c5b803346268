/**
 * Folders and files of Myrmex are for their owner only: 0700 and 0600, whatever the umask says. Those that are wider, because something
 * else created them, are narrowed. A folder that the operator named is used as it is, because it may hold other things.
 */
import { chmodSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The folder in which Myrmex keeps everything of a project. */
export const MYRMEX_FOLDER = '.myrmex'

/** Creates the folder if it does not exist. It is narrowed if it is `.myrmex` or in it, and so is `.myrmex` itself. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  for (const folder of ownFolders(path)) narrow(folder, 0o700)
}

/** Narrows a file, and those beside it whose names begin like its own, such as the log of a database. */
export function narrowFiles(path: string): void {
  const folder = dirname(path)
  for (const name of namesIn(folder)) if (name.startsWith(basename(path))) narrow(join(folder, name), 0o600)
}

/** `.myrmex` and the folders in it on the way to the path; none if the path is elsewhere. */
function ownFolders(path: string): string[] {
  const folders: string[] = []
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    folders.push(folder)
    if (basename(folder) === MYRMEX_FOLDER) return folders
    if (dirname(folder) === folder) return []
  }
}

/** Only what is ours can be narrowed. Files of others are refused where a folder is trusted. */
export function narrow(path: string, mode: number): void {
  const uid = process.getuid?.()
  if (uid === undefined) return
  try {
    const stats = statSync(path)
    const isWider = (stats.mode & 0o777 & ~mode) !== 0
    if (!isWider || stats.uid !== uid || stats.isDirectory() !== (mode === 0o700)) return
    chmodSync(path, stats.mode & mode)
  } catch {
    // It is gone, or its disk has no modes.
  }
}

/**
 * Whether only this user and root can change a file, or put another in its place. bin/compile-cache.js has the same rule, because it runs
 * before any TypeScript is loaded. Windows has access lists instead.
 */
export function isOwnFile(file: string): boolean {
  const uid = process.getuid?.()
  if (uid === undefined) return true
  try {
    const whole = realpathSync(file)
    for (let path = whole; ; path = dirname(path)) {
      const { uid: owner, gid, mode } = statSync(path)
      if (owner !== uid && (path === whole || owner !== 0)) return false
      // The sticky bit keeps others from replacing what is not theirs. A group with the number of its user has no other member.
      const isSticky = path !== whole && (mode & 0o1000) !== 0
      if ((mode & (gid === owner ? 0o002 : 0o022)) !== 0 && !isSticky) return false
      if (dirname(path) === path) return true
    }
  } catch {
    return false
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
