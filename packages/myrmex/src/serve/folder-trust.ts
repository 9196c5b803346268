/**
 * Whether Myrmex believes what is in a folder. The working directory decides much: its ledger has trust and grants, its files have rules
 * and commands, its packages are code. So a folder is believed only if
 *
 * 1. there was nothing of Myrmex in it when this user's Myrmex first worked there, and no other user put something there since, or
 * 2. the user trusted it, once, at the terminal or with `myrmex folder trust`, or
 * 3. the operator named it: MYRMEX_TRUSTED_FOLDERS, or the configuration of a host with --config.
 *
 * A ledger in it must have the key that it had then. A ledger outside a `.myrmex` folder is used only if the operator names it. `.myrmex`
 * may be a link only if the user trusted the folder while it led to the same target. Links in `.myrmex` are refused where files are
 * opened (ledger/private-folder.ts).
 */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { DEFAULT_LEDGER, existingKey, isPostgres, journalFolder, keyFileOf } from '../ledger/open.ts'
import { MYRMEX_FOLDER, makePrivateFolder } from '../ledger/private-folder.ts'
import { ToolError } from '../protocol/errors.ts'
import { shellWord } from '../protocol/text.ts'
import { askOnStdin, confirmShown } from './confirm.ts'
import { contentsOf, contentsOfOthers, describeContents, ledgersIn, linkTarget, projectOf } from './folder-contents.ts'
import {
  type KnownFolder,
  type KnownLedger,
  knownFolder,
  knownLedger,
  registryFolder,
  writeKnownFolder,
  writeKnownLedger,
} from './folder-registry.ts'
import { foreignLines } from './foreign-text.ts'
import { oneLine, say, wrap } from './terminal.ts'

/**
 * Folders that were checked, by their real paths. `named` in the environment: nothing is recorded. `accepted`, because the operator named a
 * file in it: its ledger is used as it is, and recorded if it is new.
 */
const checked = new Map<string, 'known' | 'named' | 'accepted'>()
/** Ledgers that this process made while the registry could not be written. */
const made = new Map<string, string>()

/** The operator named a file in this folder, so everything beside it is believed too. */
export function acceptFolder(folder: string): void {
  const path = realPath(folder)
  checked.set(path, isNamed(path) ? 'named' : 'accepted')
}

/** To be called before anything in a folder is believed, and before Myrmex writes its first file there. Throws PermissionError. */
export async function requireFolder(folder: string): Promise<void> {
  const path = realPath(folder)
  if (checked.has(path)) return
  const standing = standingOf(path)
  if (standing === 'new') await remember(path, writeKnownFolder({ path, how: 'created', since: now() }))
  else if (standing !== 'known' && standing !== 'named') await ask(path, standing.doubt)
  checked.set(path, standing === 'named' ? 'named' : 'known')
}

/** The same for the folder whose `.myrmex` has this file. A file elsewhere is one that the operator named. */
export async function requireProjectOf(file: string): Promise<void> {
  const project = projectOf(file)
  if (project !== undefined) await requireFolder(project)
}

/** new: there is nothing of Myrmex in it. doubt: why the user has to be asked. */
type Standing = 'named' | 'known' | 'new' | { readonly doubt: string }

function standingOf(path: string): Standing {
  const state = linkTarget(join(path, MYRMEX_FOLDER))
  const leadsTo = `has ${MYRMEX_FOLDER}, a link to ${state}`
  if (isNamed(path))
    return state === undefined || isNamed(state) ? 'named' : { doubt: `${leadsTo}, which you have not named` }
  let known = knownFolder(path)
  if (known === undefined) {
    const contents = contentsOf(path)
    if (contents.length === 0) return 'new'
    // Another process may have begun there since: it records the folder before it writes to it.
    known = knownFolder(path)
    if (known === undefined) return { doubt: `has ${listed(contents)}, and you have not trusted this folder yet` }
  }
  if (state !== undefined && state !== known.state) return { doubt: `${leadsTo}, which you have not trusted yet` }
  const foreign = known.how === 'created' ? contentsOfOthers(path) : []
  return foreign.length === 0 ? 'known' : { doubt: `has ${foreign.map((one) => oneLine(one)).join(', ')}` }
}

/**
 * Whether a ledger can be used without asking. If not, commands that only read it leave no trace in its folder: neither an index nor the
 * files that SQLite creates.
 */
export function isTrustedLedger(address: string = DEFAULT_LEDGER, keyFile?: string): boolean {
  const file = resolve(address)
  const project = isPostgres(address) || address === ':memory:' ? undefined : projectOf(file)
  if (project === undefined) return true
  const path = realPath(project)
  const standing = checked.get(path) ?? standingOf(path)
  if (standing === 'named' || standing === 'accepted') return true
  if (standing !== 'known') return false
  const ledger = join(path, relative(resolve(project), file))
  return hasKnownKey(knownLedger(path, ledger), ledger, keyFile)
}

export interface LedgerBinding {
  /** The ledger is open, with this key. */
  opened(keyId: string): Promise<void>
}

const listed = (names: readonly string[]): string => names.map((name) => oneLine(name, 80)).join(', ')

const UNBOUND: LedgerBinding = { opened: async () => {} }

/** To be called before a ledger is opened to decide by it or to write to it. Throws PermissionError. */
export async function requireLedger(address: string = DEFAULT_LEDGER, keyFile?: string): Promise<LedgerBinding> {
  if (address === ':memory:') return UNBOUND
  // The operator named the database. Its key is in the working directory unless it was named too.
  const file = resolve(isPostgres(address) ? keyFileOf(address) : address)
  const project = isPostgres(address) && keyFile !== undefined ? undefined : projectOf(file)
  if (project === undefined) return UNBOUND
  await requireFolder(project)
  const path = realPath(project)
  if (checked.get(path) === 'named' || isPostgres(address)) return UNBOUND
  if (checked.get(path) === 'accepted') {
    if (isLedgerThere(file, keyFile)) return UNBOUND
    if (knownFolder(path) === undefined) await remember(path, writeKnownFolder({ path, how: 'trusted', since: now() }))
  }
  return bind(path, join(path, relative(resolve(project), file)), keyFile)
}

async function bind(folder: string, file: string, keyFile?: string): Promise<LedgerBinding> {
  const opened = (key: string): Promise<void> => rememberLedger(folder, { path: file, key })
  if (!isLedgerThere(file, keyFile)) {
    const creating = beginLedger(file)
    if (creating !== undefined) await rememberLedger(folder, { path: file, creating })
    return { opened }
  }
  // Read before the key: another process may be making this ledger, and the key is the last that it records.
  const known = knownLedger(folder, file)
  if (hasKnownKey(known, file, keyFile)) return UNBOUND
  const key = existingKey(file, keyFile)?.id
  if (known?.creating !== undefined && known.creating === identityOf(dirname(file))) return { opened }
  const name = oneLine(relative(folder, file), 100)
  await ask(
    folder,
    `has a ledger ${name} that you have neither made nor trusted on this machine (its key is ${key ?? 'missing'})`,
  )
  return { opened }
}

function hasKnownKey(known: KnownLedger | undefined, file: string, keyFile?: string): boolean {
  const key = keyIdOf(file, keyFile)
  return key !== undefined && (known?.key === key || made.get(file) === key)
}

/** Undefined if there is none, or none that this user can use. */
function keyIdOf(file: string, keyFile?: string): string | undefined {
  try {
    return existingKey(file, keyFile)?.id
  } catch {
    return undefined
  }
}

/** Records the folder as it is now, with its ledgers, which are returned. */
export async function trustFolder(folder: string): Promise<{ path: string; ledgers: KnownLedger[] }> {
  const path = realPath(folder)
  const ledgers = ledgersIn(path).flatMap((name): KnownLedger[] => {
    const key = existingKey(join(path, name))?.id
    return key === undefined ? [] : [{ path: join(path, name), key }]
  })
  const state = linkTarget(join(path, MYRMEX_FOLDER))
  const entry: KnownFolder = { path, how: 'trusted', since: now(), ...(state !== undefined && { state }) }
  await writeKnownFolder(entry)
  for (const ledger of ledgers) await writeKnownLedger(path, ledger)
  return { path, ledgers }
}

/** Asks once at a terminal. Elsewhere it is an error that says what to do. */
async function ask(folder: string, why: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw ToolError.of(
      'PermissionError',
      `${folder} ${why}. What is in it decides which tools run and which programs start. If it is yours, run: ` +
        `npx myrmex folder trust ${shellWord(folder)}. In a container, set MYRMEX_TRUSTED_FOLDERS instead.`,
    )
  }
  say(wrap(`${oneLine(folder)} ${why}.`, 8).trimStart())
  const lines = foreignLines(await describeContents(folder))
  process.stderr.write(`${lines.join('\n')}\n`)
  const isTrusted = await confirmShown(
    '  Myrmex would use its ledger and its rules, and start every program above. Trust this folder?',
    { lines: lines.length + 2, name: '  The list of what is in it', word: 'trust' },
    askOnStdin,
  )
  if (!isTrusted)
    throw ToolError.of('PermissionError', `${folder} is not trusted. Nothing was read from it or started.`)
  await remember(
    folder,
    trustFolder(folder).then(() => {}),
  )
}

const remember = (folder: string, written: Promise<void>): Promise<void> =>
  written.catch((error: Error) => sayForgotten(folder, error))

async function rememberLedger(folder: string, ledger: KnownLedger): Promise<void> {
  if (ledger.key !== undefined) made.set(ledger.path, ledger.key)
  await remember(folder, writeKnownLedger(folder, ledger))
}

let hasSaid = false

function sayForgotten(folder: string, { message }: Error): void {
  if (hasSaid) return
  hasSaid = true
  say(
    `${oneLine(folder)} could not be recorded as a folder of yours in ${registryFolder() ?? 'a home folder'} (${oneLine(message, 200)}). ` +
      'The next start will refuse it unless MYRMEX_TRUSTED_FOLDERS names it.',
  )
}

/** Folders that the operator named, and everything below them. */
function isNamed(path: string): boolean {
  const named = (process.env.MYRMEX_TRUSTED_FOLDERS ?? '').split(delimiter).filter(isAbsolute)
  return named
    .map(realPath)
    .some((folder) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep))
}

/** Links are followed, also if only the beginning of the path exists. */
function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const parent = dirname(whole)
    return parent === whole ? whole : join(realPath(parent), basename(whole))
  }
}

/** Whether any part of it exists: a key or a journal without the rest is somebody's too. */
const isLedgerThere = (file: string, keyFile?: string): boolean =>
  [file, keyFile ?? keyFileOf(file), journalFolder(file)].some(
    (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  )

/** The identity of the folder that a new ledger gets; undefined if it cannot be made, which opening the ledger reports. */
function beginLedger(file: string): string | undefined {
  try {
    makePrivateFolder(dirname(file))
    return identityOf(dirname(file))
  } catch {
    return undefined
  }
}

function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  return `${dev}:${ino}`
}

const now = (): string => new Date().toISOString()
