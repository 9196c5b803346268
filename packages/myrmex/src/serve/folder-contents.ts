/** What a folder would decide if Myrmex believed it: ledgers with trust and grants, files with rules and commands, packages. */
import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { existingKey } from '../ledger/open.ts'
import { canOthersChange, IGNORE_FILE, MYRMEX_FOLDER } from '../ledger/private-folder.ts'
import { plural } from '../protocol/text.ts'
import { CONFIGURATION_FILES, RULES_FILES } from './file-names.ts'
import { jsonLine, oneLine } from './terminal.ts'

const [HOST, FLEET] = CONFIGURATION_FILES
const FILES: readonly string[] = [HOST, ...Object.values(RULES_FILES), FLEET]
const LEDGER = 'ledger.db'
const MODULES = 'node_modules'
const PACKAGE_PREFIX = 'myrmex-'

/**
 * Paths in the folder. Empty if Myrmex would believe nothing in it. A link counts wherever it leads: its target may be created later, by
 * somebody else.
 */
export function contentsOf(folder: string): string[] {
  return [
    ...(isStateThere(join(folder, MYRMEX_FOLDER)) ? [`${MYRMEX_FOLDER}${sep}`] : []),
    ...FILES.filter((name) => lstatOf(join(folder, name)) !== undefined),
    ...packagesOf(folder),
  ]
}

/** A folder of this user that is empty, or that has only the file that keeps it out of Git, decides nothing. */
function isStateThere(state: string): boolean {
  const stats = lstatOf(state)
  if (stats === undefined) return false
  if (!stats.isDirectory() || isOfAnother(stats)) return true
  const names = namesIn(state)
  return names === undefined || names.some((name) => name !== IGNORE_FILE || !lstatOf(join(state, name))?.isFile())
}

/**
 * What a user besides this one and root put there or can change, and what leads out of the folder, with the reason. Links are followed:
 * the owner and the mode of a target and of all folders above it count too.
 */
export function contentsOfOthers(folder: string): string[] {
  // npm as root gives node_modules to the owner of the folder: only packages that are not installed matter.
  const areModulesForeign = foreignReason(folder, MODULES) !== undefined
  const packages = packagesOf(folder).filter((path) => areModulesForeign || canOthersChange(join(folder, path)))
  const files = [MYRMEX_FOLDER, ...FILES].flatMap((name) => {
    const reason = foreignReason(folder, name)
    return reason === undefined ? [] : [`${name}${reason}`]
  })
  return [...files, ...packages.map((path) => `${path} of another user`)]
}

/** Undefined if only this user and root decide what is there. */
function foreignReason(folder: string, name: string): string | undefined {
  const path = join(folder, name)
  const stats = lstatOf(path)
  if (stats === undefined) return undefined
  if (isOfAnother(stats)) return ' of another user'
  const target = linkTarget(path)
  // The link of the state folder is checked against the target that was trusted; see folder-trust.ts.
  if (target !== undefined && name !== MODULES && name !== MYRMEX_FOLDER && !target.startsWith(`${folder}${sep}`))
    return `, a link to ${jsonLine(target)}`
  return canOthersChange(path) ? ', which another user can change' : undefined
}

/** Not this user's, and not root's. */
export const isOfAnother = ({ uid: owner }: Stats): boolean => {
  const uid = process.getuid?.()
  return uid !== undefined && owner !== uid && owner !== 0
}

/** Where a link leads in the end, also if that does not exist. Undefined if the path is not a link. */
export function linkTarget(path: string): string | undefined {
  if (!lstatOf(path)?.isSymbolicLink()) return undefined
  return realPathOf(path) ?? resolve(realPathOf(dirname(path)) ?? dirname(path), readlinkSync(path))
}

/** The ledgers in a folder's `.myrmex` that commands and agents use by themselves. */
export const ledgersIn = (folder: string): string[] =>
  pathsIn(join(folder, MYRMEX_FOLDER))
    .filter((path) => basename(path) === LEDGER)
    .map((path) => join(MYRMEX_FOLDER, path))
    .sort()

/** The folder whose `.myrmex` has the path; undefined if it is in none. */
export function projectOf(path: string): string | undefined {
  for (let folder = dirname(resolve(path)); dirname(folder) !== folder; folder = dirname(folder))
    if (basename(folder) === MYRMEX_FOLDER) return dirname(folder)
  return undefined
}

/** Packages with commands that are not those of this installation. A folder of packages that does not exist yet could have any. */
function packagesOf(folder: string): string[] {
  const modules = join(folder, MODULES)
  const names = namesIn(modules)
  if (names === undefined) return lstatOf(modules) === undefined ? [] : [MODULES]
  const own = createRequire(import.meta.filename).resolve.paths(PACKAGE_PREFIX) ?? []
  const isOwn = (name: string): boolean => {
    const real = realPathOf(join(modules, name))
    return real !== undefined && own.some((place) => realPathOf(join(place, name)) === real)
  }
  return names.filter((name) => name.startsWith(PACKAGE_PREFIX) && !isOwn(name)).map((name) => join(MODULES, name))
}

/**
 * What the folder would decide and start, to be written with `foreignLines` for the person who decides. Nothing in the folder is
 * executed, and nothing is left out.
 */
export async function describeContents(folder: string): Promise<string[]> {
  const { programLines } = await import('./folder-programs.ts')
  const lines: string[] = []
  for (const path of ledgersIn(folder)) lines.push(`${jsonLine(path)}: ${await ledgerText(join(folder, path))}`)
  for (const path of contentsOf(folder)) {
    const name = path.endsWith(sep) ? path.slice(0, -1) : path
    const target = linkTarget(join(folder, name))
    if (target !== undefined) lines.push(`${jsonLine(path)}: a link to ${targetText(target)}`)
    if (FILES.includes(path)) lines.push(...(await programLines(path, join(folder, path))))
    else if (!path.startsWith(MYRMEX_FOLDER) || lines.length === 0) lines.push(jsonLine(path))
  }
  return lines
}

function targetText(target: string): string {
  const isThere = realPathOf(target) !== undefined
  const why = isThere ? ', which another user can change' : ', which does not exist'
  return `${jsonLine(target)}${!isThere || canOthersChange(target) ? why : ''}`
}

async function ledgerText(path: string): Promise<string> {
  try {
    const { openExisting } = await import('../ledger/open-existing.ts')
    const ledger = await openExisting(path, { untrusted: true })
    try {
      const trusted = (await ledger.trust.decisions()).filter(({ level }) => level !== 'untrusted')
      const grants = (await ledger.grants.list()).filter(({ revoked_at }) => revoked_at === null)
      const names = (of: readonly { readonly tool: string }[]): string => (of.length === 0 ? '' : ` (${listed(of)})`)
      return (
        `key ${existingKey(path)?.id ?? 'missing'}, ${plural(trusted.length, 'tool')} that can be called${names(trusted)}, ` +
        `${plural(grants.length, 'standing grant')}${names(grants)}`
      )
    } finally {
      await ledger.close()
    }
  } catch (error) {
    return `it cannot be read: ${oneLine((error as Error).message, 200)}`
  }
}

const listed = (of: readonly { readonly tool: string }[]): string =>
  [...new Set(of.map(({ tool }) => oneLine(tool)))].join(', ')

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Undefined if it is not a folder, or cannot be read. */
function namesIn(folder: string, recursive = false): string[] | undefined {
  try {
    return readdirSync(folder, { encoding: 'utf8', recursive })
  } catch {
    return undefined
  }
}

const pathsIn = (folder: string): string[] => namesIn(folder, true) ?? []

const lstatOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })
