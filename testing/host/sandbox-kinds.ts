/** Which sandboxes this machine has, found out without the code under test. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { ROOT } from '../paths.ts'

const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0
const isRoot = process.getuid?.() === 0
const PROC = ['--user', '--map-root-user', '--mount', '--pid', '--fork', 'mount', '-t', 'proc', 'proc', '/proc']
// Another user must be able to read the checkout.
const isReadable = (statSync(ROOT).mode & 0o5) === 0o5

export const AVAILABLE = {
  bwrap: works('bwrap', '--unshare-user', '--ro-bind', '/', '/', '--proc', '/proc', '--unshare-pid', 'true'),
  namespace: works('unshare', ...PROC),
  user: isRoot && isReadable,
} as const
export type TestedKind = keyof typeof AVAILABLE

/** In the order in which `auto` takes them. */
export const KINDS = ['bwrap', 'namespace', 'user'] as const
export const NAMESPACES = ['bwrap', 'namespace'] as const
export const available = <Kind extends TestedKind>(kinds: readonly Kind[]): Kind[] =>
  kinds.filter((kind) => AVAILABLE[kind])

/** An ordinary user, as most hosts are run by. Only root can start a host as somebody else. */
export const ORDINARY_USER: number | undefined = isRoot && isReadable ? 65_534 : undefined
