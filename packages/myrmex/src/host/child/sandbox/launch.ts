/** How a child is started: its program, or a program that starts it in a sandbox. */
import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { ChildEndpoint } from '../../settings.ts'
import { childEnvironment } from '../child-environment.ts'

const SIGNAL_BASE = 128

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly uid?: number
  readonly gid?: number
  /** another program starts the child, and exits with 128 plus the number of the signal that ended it */
  readonly isWrapped: boolean
}

/** Without a sandbox. */
export const plainLaunch = (endpoint: ChildEndpoint): Launch => ({
  command: endpoint.command,
  args: endpoint.args,
  env: childEnvironment(endpoint),
  cwd: endpoint.cwd,
  isWrapped: false,
})

/**
 * The absolute path of a program. Throws an error with the code ENOENT or EACCES, as starting it without a sandbox would: the
 * program that makes the sandbox always exists.
 */
export function findProgram(command: string, cwd: string, path: string | undefined): string {
  if (!isFolder(cwd)) throw failure('ENOENT', command)
  const places = /[/\\]/.test(command) ? [''] : (path ?? '').split(delimiter)
  let code = 'ENOENT'
  for (const place of places) {
    const candidate = isAbsolute(command) ? command : resolve(cwd, join(place, command))
    if (!isFile(candidate)) continue
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch {
      code = 'EACCES'
    }
  }
  throw failure(code, command)
}

/** The absolute path of a program that makes sandboxes. Throws an error that says that it is missing. */
export function systemProgram(name: string): string {
  try {
    return findProgram(name, '/', systemPath())
  } catch {
    throw new Error(`there is no program ${name}`)
  }
}

/**
 * Where programs that make sandboxes are found: the folders of the system first, whatever PATH the child has. Never among the programs
 * of npm packages, which npx puts first in PATH: a package could bring a bwrap that hides nothing.
 */
export const systemPath = (): string =>
  [
    '/usr/sbin:/usr/bin:/sbin:/bin',
    ...(process.env.PATH ?? '')
      .split(delimiter)
      .filter((place) => isAbsolute(place) && !place.includes('node_modules')),
  ].join(delimiter)

/** Variables that shells and bwrap add. */
const ADDED = ['PWD', 'OLDPWD', 'SHLVL', '_']

/** `env` takes a word with = for a variable. */
const STARTED_BY_SHELL = ['/bin/sh', '-c', 'exec "$0" "$@"']

/** Starts the program without the variables that the programs before it have added. */
export const withoutAddedVariables = (env: Launch['env'], command: readonly string[]): string[] => [
  systemProgram('env'),
  ...ADDED.filter((name) => env[name] === undefined).flatMap((name) => ['-u', name]),
  ...(command[0]?.includes('=') ? STARTED_BY_SHELL : []),
  ...command,
]

/** The signal that ended a child, from the exit code of the program that started it. */
export function wrappedSignal(code: number | null): NodeJS.Signals | undefined {
  if (code === null || code <= SIGNAL_BASE) return undefined
  const found = Object.entries(system.signals).find(([, number]) => number === code - SIGNAL_BASE)
  return found?.[0] as NodeJS.Signals | undefined
}

const failure = (code: string, command: string): Error => Object.assign(new Error(`${code}: ${command}`), { code })
const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true
const isFile = (path: string): boolean => statOf(path)?.isFile() === true

/** Returns undefined for a path that this user cannot see: PATH may have folders of others. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
