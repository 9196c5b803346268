/**
 * Folders and files of Myrmex are for their owner only: 0700 and 0600, with every umask. Wider ones, created by something else, are
 * narrowed. A folder that the operator named is used as it is, because it may hold other things.
 *
 * `.myrmex` may come from an archive. Its author can put links, and files with a second name, in the place of ours. So before Myrmex
 * opens a file there for writing, and before it creates, narrows or removes anything there, every part of the path from `.myrmex` down
 * is checked: a link, a file or folder of another user, a special file and a second name are refused. Nothing is written, and no mode is changed,
 * through a link.
 */
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ToolError } from '../protocol/errors.ts'

/** The folder in which Myrmex keeps everything of a project. */
export const MYRMEX_FOLDER = '.myrmex'
/** Keeps `.myrmex`, which has keys, out of Git. Myrmex only creates it and never reads it. */
export const IGNORE_FILE = '.gitignore'

/**
 * Creates the folder if it does not exist. It is narrowed if it is `.myrmex` or in it, and so is `.myrmex` itself, which gets a file that
 * keeps it out of Git. Throws PermissionError if part of the path is not a folder of this user.
 */
export function makePrivateFolder(path: string): void {
  const own = ownFolders(path)
  requireOwnFolders(own)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  for (const folder of own) narrow(folder, 0o700)
  const [whole] = own.slice(-1)
  if (whole !== undefined) createIgnoreFile(join(whole, IGNORE_FILE))
}

/** Whatever has its name stays: the flag follows no link. A disk on which it cannot be created is no reason to stop. */
function createIgnoreFile(path: string): void {
  try {
    writeFileSync(path, '*\n', { flag: 'wx', mode: 0o600 })
  } catch {
    // It exists already, or opening the ledger reports what is wrong.
  }
}

/** For a folder that holds only files of Myrmex, also outside `.myrmex`. Throws PermissionError if it is a link. */
export function requireOwnFolder(path: string): void {
  const own = ownFolders(path)
  if (own.length > 0) requireOwnFolders(own)
  else if (lstatOf(path)?.isSymbolicLink())
    throw refused(path, 'is a symbolic link', 'Replace it by the folder itself.')
}

/**
 * To be called before a file is opened for writing. Throws PermissionError if it exists and is not a regular file with one name, or if it
 * is in `.myrmex` and not this user's. The file may be missing: create it with the flag `wx`, which follows no link. `names: 'many'` is for
 * a file that gets its name by a hard link.
 */
export function requireOwnFile(path: string, names: 'one' | 'many' = 'one'): void {
  const own = ownFolders(dirname(path))
  requireOwnFolders(own)
  const stats = lstatOf(path)
  if (stats === undefined) return
  if (stats.isSymbolicLink()) throw refused(path, 'is a symbolic link', LINK_HINT)
  if (!stats.isFile()) throw refused(path, 'is not a regular file')
  if (stats.nlink > 1 && names === 'one')
    throw refused(path, 'has a second name (a hard link)', 'Replace it by a copy.')
  if (own.length > 0) requireOwner(path, stats)
}

/** Creates an empty file if there is none. Returns whether it did. Throws PermissionError if another thing has its name. */
export function createOwnFile(path: string, mode = 0o600): boolean {
  requireOwnFile(path)
  try {
    closeSync(openSync(path, 'wx', mode))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    requireOwnFile(path)
    return false
  }
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

/** Whether the path is `.myrmex` or in it. */
export const isInMyrmexFolder = (path: string): boolean => ownFolders(path).length > 0

/** From `.myrmex` down, so that nothing is looked up through a link. */
function requireOwnFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    const stats = lstatOf(folder)
    if (stats === undefined) return
    if (stats.isSymbolicLink() && basename(folder) === MYRMEX_FOLDER) requireOwnTarget(folder)
    else if (stats.isSymbolicLink()) throw refused(folder, 'is a symbolic link', LINK_HINT)
    else if (!stats.isDirectory()) throw refused(folder, 'is not a folder')
    else requireOwner(folder, stats)
  }
}

/** An operator may link `.myrmex` as a whole to another disk. Who trusts the target is decided in serve/folder-trust.ts. */
function requireOwnTarget(link: string): void {
  const target = realPathOf(link)
  if (target === undefined)
    throw refused(link, 'is a symbolic link that leads nowhere', 'Create its target, or remove it.')
  if (!statSync(target).isDirectory()) throw refused(link, `is a symbolic link to ${target}, which is not a folder`)
  if (process.getuid === undefined) return
  if (!isOwnFile(target) || (statSync(target).mode & 0o077) !== 0)
    throw refused(
      link,
      `is a symbolic link to ${target}, which is not for you alone`,
      'It must be yours, with mode 700.',
    )
}

function requireOwner(path: string, { uid }: Stats): void {
  const own = process.getuid?.()
  if (own !== undefined && uid !== own)
    throw refused(path, `belongs to user ${uid}`, `Myrmex runs as user ${own}. Give it to that user, or remove it.`)
}

const LINK_HINT = 'Only the whole .myrmex folder may be one. If you did not make it, do not trust this folder.'

const refused = (path: string, why: string, hint = 'If you did not make it, do not trust this folder.'): ToolError =>
  ToolError.of('PermissionError', `${path} ${why}, so Myrmex does not write there. ${hint}`)

/** Undefined if nothing is there, or if it cannot be reached: opening it then fails too, with an error that says why. */
function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Only what is ours can be narrowed, and never through a link. Files of others are refused where a folder is trusted. */
export function narrow(path: string, mode: number): void {
  const uid = process.getuid?.()
  if (uid === undefined) return
  try {
    const stats = lstatSync(path)
    const isWider = (stats.mode & 0o777 & ~mode) !== 0
    if (stats.isSymbolicLink() || (stats.isFile() && stats.nlink > 1)) return
    if (!isWider || stats.uid !== uid || stats.isDirectory() !== (mode === 0o700)) return
    chmodSync(path, stats.mode & mode)
  } catch {
    // It is gone, or its disk has no modes.
  }
}

/** Whether the file is this user's, and only this user and root can change it or put another in its place. Links are followed. */
export const isOwnFile = (file: string): boolean =>
  process.getuid === undefined || (!canOthersChange(file) && statSync(file).uid === process.getuid())

/**
 * Whether a user besides this one and root can change a file or folder, or put another in its place. Links are followed. If that cannot be
 * found out, they can. bin/compile-cache.js has the same rule, because it runs before any TypeScript is loaded. Windows has access lists
 * instead.
 */
export function canOthersChange(file: string): boolean {
  const uid = process.getuid?.()
  if (uid === undefined) return false
  try {
    const whole = realpathSync(file)
    for (let path = whole; ; path = dirname(path)) {
      const { uid: owner, gid, mode } = statSync(path)
      if (owner !== uid && owner !== 0) return true
      // The sticky bit keeps others from replacing what is not theirs. A group with the number of its user has no other member.
      const isSticky = path !== whole && (mode & 0o1000) !== 0
      if ((mode & (gid === owner ? 0o002 : 0o022)) !== 0 && !isSticky) return true
      if (dirname(path) === path) return false
    }
  } catch {
    return true
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
