/**
 * Decides in which folder a command keeps its ledger and finds its rules, if it names neither. The rule is the same for all commands, so a
 * server that a desktop client starts in `/` has the ledger and the rules of one that is started by hand in its project.
 *
 * For files (tools, or the fleet of `myrmex ceo`) it is the first of these:
 *
 * 1. the working directory, if the files are in it and it has a `.myrmex` or rules
 * 2. the nearest folder above them, up to the top of their repository or package, that has a `.myrmex` or rules
 * 3. their project: the nearest folder with `package.json`, `.git` or a configuration of Myrmex. The working directory instead, if it is
 *    between that folder and the top of the repository
 * 4. without a project: a folder that cannot be a project (home, `/`, `/tmp`) if it has a `.myrmex` or rules, then a folder of this server
 *    that exists, then the working directory if the files are in it, then a new folder of this server; see server-folder.ts
 *
 * So the first start decides and every later one finds the same folder. A working directory without the files decides nothing, and nor
 * does anything of another user. If this user cannot write to the project, the ledger is in the folder of the server.
 */
import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { MYRMEX_FOLDER } from '../ledger/private-folder.ts'
import { homeFolder } from '../ledger/user-folders.ts'
import { ToolError } from '../protocol/errors.ts'
import { missingToolPath } from '../tool/discovery/tool-file-names.ts'
import { CONFIGURATION_FILES, RULES_FILES } from './file-names.ts'
import { isOfAnother, projectOf } from './folder-contents.ts'
import { serverFolder } from './server-folder.ts'

export interface CommandFolder {
  /** its `.myrmex` has the ledger. Undefined if this user has no folder for it */
  readonly folder: string | undefined
  /** has the policy and the constitution */
  readonly rules: string
}

/** The first file or folder decides; throws if it does not exist. `name` is that of the server, if it has one. */
export function folderOfFiles([file = '.']: readonly string[], name?: string): CommandFolder {
  const path = existingPath(file)
  const top = statSync(path).isDirectory() ? path : dirname(path)
  const start = projectOf(join(top, 'x')) ?? top
  const here = workingDirectory()
  const project = projectFolder(start, here)
  if (project !== undefined && canHaveLedger(project)) return { folder: project, rules: project }
  const own = serverFolder(path, name)
  const isNew = project === undefined && own?.exists !== true
  if (isNew && here !== undefined && canBeProjectOf(start, here) && canHaveLedger(here))
    return { folder: here, rules: here }
  return { folder: own?.path, rules: project ?? own?.path ?? start }
}

/** The folders from that of the first file up to this one, which is not among them. None if the file is elsewhere. */
export function foldersUpTo(top: string, [file = '.']: readonly string[]): string[] {
  const path = existingPath(file)
  const folders = foldersFrom(statSync(path).isDirectory() ? path : dirname(path))
  return folders.includes(top) ? folders.slice(0, folders.indexOf(top)) : []
}

/** For commands about a ledger. Undefined if the working directory does not exist any more. */
export function folderOfWorkingDirectory(): string | undefined {
  const here = workingDirectory()
  return here === undefined ? undefined : (ownProject(here, here) ?? here)
}

/** Undefined if it does not exist any more. */
export function workingDirectory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

const projectFolder = (start: string, here: string | undefined): string | undefined =>
  ownProject(start, here) ?? (isInModules(start) ? undefined : foldersFrom(start).find(hasMyrmex))

function ownProject(start: string, here: string | undefined): string | undefined {
  const folders = foldersFrom(start).filter((folder) => canBeProjectOf(start, folder))
  const top = folders.find(isRepository) ?? folders.find(isPackage)
  // A package is used by many projects. It belongs to the one that it is installed in.
  const searched = isInModules(start)
    ? folders.filter((folder) => folder === installedIn(start))
    : folders.filter((folder) => top === undefined || isWithin(folder, top))
  const isHere = here !== undefined && canBeProjectOf(start, here)
  if (isHere && hasMyrmex(here)) return here
  const begun = searched.find(hasMyrmex)
  if (begun !== undefined) return begun
  const root = searched.find(isProject)
  const isBetween = root !== undefined && isHere && isWithin(root, here) && (top === undefined || isWithin(here, top))
  return isBetween ? here : root
}

/** Not `/`, not the home folder or what is above it, not a folder in which everybody can create files, and not the cache of npx. */
function canBeProjectOf(start: string, folder: string): boolean {
  if (!isWithin(start, folder) || dirname(folder) === folder || isInModules(folder) || isShared(folder)) return false
  const home = realPathOf(homeFolder() ?? '/')
  const isOfHome = home !== undefined && isWithin(home, folder) && (folder === home || isWithin(start, home))
  return !isOfHome && !folder.split(sep).includes('_npx')
}

/** Folders with a `.myrmex` of this user, or with rules, are where this user's Myrmex works. */
const hasMyrmex = (folder: string): boolean =>
  isMine(lstatOf(join(folder, MYRMEX_FOLDER))) || Object.values(RULES_FILES).some((name) => isThere(folder, name))

const isProject = (folder: string): boolean =>
  isRepository(folder) || isPackage(folder) || CONFIGURATION_FILES.some((name) => isThere(folder, name))

const isRepository = (folder: string): boolean => isThere(folder, '.git')
const isPackage = (folder: string): boolean => isThere(folder, 'package.json')

function isThere(folder: string, name: string): boolean {
  const stats = lstatOf(join(folder, name))
  return stats !== undefined && !isOfAnother(stats)
}

const isShared = (folder: string): boolean => (statSync(folder).mode & 0o1000) !== 0

/** What another user keeps in a folder of this user is refused where the ledger is opened; see folder-trust.ts. */
function canHaveLedger(folder: string): boolean {
  if (isMine(lstatOf(join(folder, MYRMEX_FOLDER)))) return true
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function isMine(stats: Stats | undefined): boolean {
  const uid = process.getuid?.()
  return stats !== undefined && (uid === undefined || stats.uid === uid)
}

const MODULES = 'node_modules'

const isInModules = (folder: string): boolean => folder.split(sep).includes(MODULES)

/** The folder of the outermost node_modules. */
function installedIn(folder: string): string {
  const parts = folder.split(sep)
  return parts.slice(0, parts.indexOf(MODULES)).join(sep)
}

function existingPath(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      throw ToolError.of('ValidationError', `${file} cannot be read: ${message}`)
    throw missingToolPath(file)
  }
}

/** The folder and all above it. */
function foldersFrom(folder: string): string[] {
  const folders = [folder]
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at))
  return folders
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Undefined if nothing is there, or if it cannot be reached. */
function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
