/**
 * What a child in namespaces of its own sees. `bwrap.ts` and `namespace.ts` do what the plan says, so both kinds guarantee the same:
 *
 * - The state folder of the host is replaced by a folder of the child's own. Hidden files and folders are empty.
 * - The child sees only its own processes. It can neither signal the host nor read its memory.
 * - /dev has no disks and no terminals. /sys, and what changes the system in /proc, is read-only.
 * - The sockets of the user's session (/run/user), through which other programs run commands, are hidden.
 * - With `write`: everything else is read-only, the home folder is the child's own, and /tmp and /run are empty.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { createOwnFile, makePrivateFolder } from '../../../ledger/private-folder.ts'
import { userFolder } from '../../../ledger/user-folders.ts'
import type { ChildEndpoint, SandboxSettings } from '../../settings.ts'

/** An empty folder in memory, in which some entries of the original are kept. */
interface PrivateFolder {
  readonly path: string
  readonly keep: readonly string[]
}

export interface SandboxPlan {
  /** the folder that the child sees as the state folder; it is in the state folder itself */
  readonly own: string
  readonly state: string
  /** empty folders, to mount on */
  readonly mounts: string
  /** an empty file that nobody may read */
  readonly nothing: string
  readonly hiddenFolders: readonly string[]
  readonly hiddenFiles: readonly string[]
  readonly readOnly: readonly string[]
  /** undefined: everything that the user may change */
  readonly write: readonly string[] | undefined
  readonly privateFolders: readonly PrivateFolder[]
  readonly network: boolean
  readonly cwd: string
  /** variables that the sandbox sets, unless they are configured */
  readonly env: Readonly<Record<string, string>>
}

/** Paths to protect besides those in the settings, such as a ledger in another folder. */
export interface ProtectedPaths {
  readonly hide: readonly string[]
  readonly readOnly: readonly string[]
}

/** The package of the host itself: a child that can change it runs code as the host at the next start. */
const PACKAGE = join(import.meta.dirname, '..', '..', '..', '..')
export const DEVICES: readonly string[] = ['null', 'zero', 'full', 'random', 'urandom', 'tty']
const DEVICE_LINKS = [
  ['fd', '/proc/self/fd'],
  ['stdin', 'fd/0'],
  ['stdout', 'fd/1'],
  ['stderr', 'fd/2'],
  ['ptmx', 'pts/ptmx'],
] as const
/** Root can change the machine through these, even without capabilities. */
export const MACHINE_FILES: readonly string[] = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi'].map(
  (name) => `/proc/${name}`,
)
/** Names are resolved through these. Without them a child has no network. */
const RESOLVERS = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager', '/run/nscd']
/** Programs of NixOS. */
const PROGRAMS = ['/run/current-system', '/run/wrappers', '/run/opengl-driver']
const USER_FOLDERS = ['config', 'cache', 'data'] as const

export function planSandbox(
  name: string,
  endpoint: Pick<ChildEndpoint, 'args' | 'cwd'> & { readonly program: string },
  settings: SandboxSettings,
  more: ProtectedPaths,
): SandboxPlan {
  const { own, mounts, nothing, state } = prepareFolders(name, settings.state)
  const isInState = (path: string): boolean => isWithin(path, state)
  const write = settings.write === undefined ? undefined : real(settings.write)
  const hidden = real([...settings.hide, ...more.hide, ...userFolders()]).filter((path) => !isInState(path))
  const isFolder = (path: string): boolean => statSync(path).isDirectory()
  // What the configuration names must be there, also if its folder is emptied.
  const { program, cwd, args } = endpoint
  const named = real([program, cwd, ...args.filter((arg) => arg.startsWith('/')), ...(write ?? []), state])
  const strict: PrivateFolder[] = ['/tmp', '/var/tmp', '/run'].map((path) => ({
    path,
    keep: [...named, ...(path === '/run' ? real([...RESOLVERS, ...PROGRAMS]) : [])],
  }))
  const session: PrivateFolder[] = [{ path: '/run/user', keep: [] }]
  return {
    own,
    state,
    mounts,
    nothing,
    hiddenFolders: hidden.filter(isFolder),
    hiddenFiles: hidden.filter((path) => !isFolder(path)),
    readOnly: real([...settings.readOnly, ...more.readOnly, PACKAGE]).filter((path) => !isInState(path)),
    write,
    privateFolders: (write === undefined ? session : strict).flatMap(({ path, keep }) =>
      existsSync(path)
        ? [{ path: realpathSync(path), keep: outermost(keep.filter((kept) => isBelow(kept, path))) }]
        : [],
    ),
    network: settings.network,
    cwd: realpathSync(cwd),
    env: write === undefined ? {} : { HOME: join(state, 'home') },
  }
}

/** Whether a child could not start, because what it needs is in the state folder. */
export const hidesItself = ({ state, cwd }: SandboxPlan, program: string): boolean =>
  [cwd, program].some((path) => isWithin(path, state))

/** Its folders are in the state folder, where other children cannot see them. */
function prepareFolders(name: string, configured: string) {
  const folderIn = join(configured, 'host', 'children', name)
  makePrivateFolder(join(folderIn, 'own'))
  prepareHome(join(folderIn, 'own', 'home'))
  for (const stage of ['dev/pts', 'dev/shm', 'tmp', 'var-tmp', 'run'])
    makePrivateFolder(join(folderIn, 'mounts', stage))
  const state = realpathSync(configured)
  const folder = join(state, 'host', 'children', name)
  const [own, mounts, nothing] = [join(folder, 'own'), join(folder, 'mounts'), join(folder, 'nothing')]
  // Devices are mounted on files. The folder itself is seen as /dev.
  chmodSync(join(mounts, 'dev'), 0o755)
  for (const device of DEVICES) createOwnFile(join(folderIn, 'mounts', 'dev', device))
  for (const [link, to] of DEVICE_LINKS) symlinkOnce(to, join(mounts, 'dev', link))
  createOwnFile(join(folderIn, 'nothing'), 0)
  return { own, mounts, nothing, state }
}

/** The child may have replaced it. If that kept its sandbox from starting, it would start without one. */
function prepareHome(home: string): void {
  if (lstatSync(home, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(home)
  makePrivateFolder(home)
}

function symlinkOnce(to: string, path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink() && readlinkSync(path) === to) return
  if (stats !== undefined) rmSync(path, { recursive: true })
  symlinkSync(to, path)
}

/** The folder to mount on before it replaces `path`. */
export const stageOf = (path: string, { mounts }: SandboxPlan): string =>
  join(mounts, path.slice(1).replaceAll(sep, '-'))

/** Absolute, without links. A path that does not exist is left out: nothing can be mounted on it. */
const real = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => (existsSync(path) ? [realpathSync(path)] : []))),
]

/** Of the user who runs Myrmex: the registry of trusted folders, compiled code that the host executes, and ledgers of other servers. */
function userFolders(): string[] {
  const own = USER_FOLDERS.flatMap((kind) => userFolder(kind) ?? [])
  for (const folder of own) makeToHide(folder)
  return [...own, ...[getCompileCacheDir() ?? []].flat()]
}

/** Only a folder that exists can be hidden, and a child could create it. If the host cannot create it, neither can the child. */
function makeToHide(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    // It stays missing.
  }
}

const isWithin = (path: string, folder: string): boolean => path === folder || isBelow(path, folder)
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}${sep}`)

/** Without those that are in another one. */
const outermost = (paths: readonly string[]): string[] =>
  paths.filter((path) => !paths.some((other) => isBelow(path, other)))

/** The folders of `path` below `root`, from the top. */
export function foldersTo(path: string, root: string): string[] {
  const found: string[] = []
  for (let at = dirname(path); isBelow(at, root); at = dirname(at)) found.unshift(at)
  return found
}
