/**
 * A child's environment: the variables that programs need, and the configured ones. Nothing else is passed on. Only a server of Myrmex
 * itself also gets the folders that the host knows, because the sandbox hides the record of them from it, and a ledger in its working
 * directory, because the sandbox hides the others.
 */
import { basename, delimiter, join } from 'node:path'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import type { ChildEndpoint } from '../settings.ts'

const SAFE = (
  process.platform === 'win32'
    ? 'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES ' +
      'PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR'
    : 'HOME LOGNAME PATH SHELL TERM USER'
).split(' ')

export function childEnvironment(endpoint: ChildEndpoint): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of SAFE) {
    const value = process.env[name]
    // Some shells would execute such a value as a function.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...(isMyrmex(endpoint) && variablesOfMyrmex(endpoint)), ...endpoint.env }
}

const isMyrmex = ({ command, args }: ChildEndpoint): boolean =>
  [command, ...args].some((word) => ['myrmex', 'myrmex.js'].includes(basename(word)))

function variablesOfMyrmex({ args, cwd }: ChildEndpoint): Record<string, string> {
  const { MYRMEX_TRUSTED_FOLDERS: trusted, XDG_CONFIG_HOME: config } = process.env
  return {
    MYRMEX_TRUSTED_FOLDERS: trusted === undefined ? cwd : [trusted, cwd].join(delimiter),
    ...(config !== undefined && { XDG_CONFIG_HOME: config }),
    ...(args.includes('serve') && { MYRMEX_LEDGER: join(cwd, DEFAULT_LEDGER) }),
  }
}
