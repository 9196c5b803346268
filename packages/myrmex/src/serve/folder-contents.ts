/** What a folder would decide if Myrmex believed it: ledgers with trust and grants, files with rules and commands, packages. */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { existingKey } from '../ledger/open.ts'
import { MYRMEX_FOLDER } from '../ledger/private-folder.ts'
import { isObject } from '../protocol/json.ts'
import { plural } from '../protocol/text.ts'
import { oneLine } from './terminal.ts'

const FILES = ['myrmex.json', 'myrmex.policy.json', 'myrmex.constitution.json', 'myrmex.fleet.json']
const LEDGER = 'ledger.db'
const PACKAGE_PREFIX = 'myrmex-'
const MAX_SHOWN = 8

/** Paths in the folder. Empty if Myrmex would believe nothing in it. */
export function contentsOf(folder: string): string[] {
  return [
    ...(namesIn(join(folder, MYRMEX_FOLDER)).length > 0 ? [`${MYRMEX_FOLDER}${sep}`] : []),
    ...FILES.filter((name) => existsSync(join(folder, name))),
    ...packagesOf(folder),
  ]
}

/** Those that belong to another user than this one and root: somebody else can write in the folder. */
export function contentsOfOthers(folder: string): string[] {
  const uid = process.getuid?.()
  if (uid === undefined) return []
  const isOthers = (name: string): boolean => {
    const owner = lstatSync(join(folder, name), { throwIfNoEntry: false })?.uid
    return owner !== undefined && owner !== uid && owner !== 0
  }
  // npm as root gives node_modules to the owner of the folder: only packages that are not installed matter.
  const packages = isOthers('node_modules') ? packagesOf(folder) : []
  return [...[MYRMEX_FOLDER, ...FILES].filter(isOthers), ...packages]
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

/** Packages with commands that are not those of this installation. */
function packagesOf(folder: string): string[] {
  const modules = join(folder, 'node_modules')
  const own = createRequire(import.meta.filename).resolve.paths(PACKAGE_PREFIX) ?? []
  const isOwn = (name: string): boolean => {
    const real = realPathOf(join(modules, name))
    return own.some((place) => realPathOf(join(place, name)) === real)
  }
  return namesIn(modules)
    .filter((name) => name.startsWith(PACKAGE_PREFIX) && !isOwn(name))
    .map((name) => join('node_modules', name))
}

/** A line for each of the contents, to be written with `foreignLines` for the person who decides. Nothing in the folder is executed. */
export async function describeContents(folder: string): Promise<string[]> {
  const lines: string[] = []
  for (const path of ledgersIn(folder)) lines.push(`${shown(path)}: ${await ledgerText(join(folder, path))}`)
  for (const path of contentsOf(folder)) {
    if (path === 'myrmex.json') lines.push(...(await serverLines(path, join(folder, path))))
    else if (!path.startsWith(MYRMEX_FOLDER) || lines.length === 0) lines.push(`${shown(path)}${EXPLAINED[path] ?? ''}`)
  }
  return lines
}

/** Names in a foreign folder are texts of others. */
const shown = (path: string): string => oneLine(path, 200)

const EXPLAINED: Readonly<Record<string, string>> = {
  'myrmex.policy.json': ': who may call, which calls need approval',
  'myrmex.constitution.json': ': what no call may do',
  'myrmex.fleet.json': ': agents and how they are started',
}

async function ledgerText(path: string): Promise<string> {
  try {
    const { openExisting } = await import('../ledger/open-existing.ts')
    const ledger = await openExisting(path, { readOnly: true })
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

function listed(of: readonly { readonly tool: string }[]): string {
  const names = [...new Set(of.map(({ tool }) => oneLine(tool, 80)))]
  return names.slice(0, MAX_SHOWN).join(', ') + (names.length > MAX_SHOWN ? ', …' : '')
}

/** Every server with everything that decides what is started: a person who does not see it cannot trust it. */
async function serverLines(name: string, path: string): Promise<string[]> {
  const { parse } = await import('jsonc-parser')
  const value: unknown = parse(readFileSync(path, 'utf8'))
  const servers = isObject(value) && isObject(value.mcpServers) ? Object.entries(value.mcpServers) : []
  return [
    `${name}: ${plural(servers.length, 'server')}`,
    ...servers.map(([server, entry]) => `  ${JSON.stringify(server)}: ${JSON.stringify(entry)}`),
  ]
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function namesIn(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, { encoding: 'utf8', recursive })
  } catch {
    return []
  }
}

const pathsIn = (folder: string): string[] => namesIn(folder, true)
