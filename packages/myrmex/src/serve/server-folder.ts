/**
 * The folder of a server whose tools are in no project, in the user's data folder. It is like a project: the ledger is in its `.myrmex`,
 * and rules can be beside that. Its name ends with a hash of the path of the tools, so every command about the same file finds it and no
 * two files share one. Before the hash is the server's name, in characters that every file system accepts.
 */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { canOthersChange } from '../ledger/private-folder.ts'
import { userFolder } from '../ledger/user-folders.ts'
import { crypto } from '../protocol/builtin.ts'
import { ToolError } from '../protocol/errors.ts'

export interface ServerFolder {
  readonly path: string
  readonly exists: boolean
}

const HASH_LENGTH = 10
const MAX_NAME = 40

/**
 * `file` is the real path of its first file or folder of tools. `name` is used when the folder is created. Undefined if this user has no
 * home folder.
 */
export function serverFolder(file: string, name = basename(file).replace(/\..*$/s, '')): ServerFolder | undefined {
  const data = userFolder('data')
  if (data === undefined) return undefined
  const servers = join(data, 'servers')
  const hash = crypto.hash('sha256', file, 'hex').slice(0, HASH_LENGTH)
  const found = namesIn(servers).find((one) => one.endsWith(`-${hash}`))
  return { path: join(servers, found ?? `${safeName(name)}-${hash}`), exists: found !== undefined }
}

/**
 * Before a ledger is opened in a project or a folder of a server. Throws if this user cannot write there, or if another user can change
 * what a new folder is created in. The folder is created, for this user alone, together with its ledger.
 */
export function requireUsable(folder: string | undefined): asserts folder is string {
  if (folder === undefined)
    throw ToolError.of(
      'PermissionError',
      `This user has no home folder in which the ledger could be, and the tools are in no project. ${NAME_LEDGER}`,
    )
  let there = folder
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  if (!statSync(there).isDirectory()) throw unusable(folder, `because ${there} is not a folder`)
  if (there !== folder && canOthersChange(there)) throw unusable(folder, `because another user can change ${there}`)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch {
    throw unusable(folder, `because this user cannot write to ${there}`)
  }
}

const NAME_LEDGER = 'Name a file that only you can write, with --ledger or MYRMEX_LEDGER.'

const unusable = (folder: string, why: string): ToolError =>
  ToolError.of('PermissionError', `The ledger cannot be in ${folder}, ${why}. ${NAME_LEDGER}`)

/** A name that is changed cannot leave the folder. The hash after it keeps it apart from others and from names that Windows reserves. */
const safeName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_NAME)
    .replace(/-+$/, '') || 'server'

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
