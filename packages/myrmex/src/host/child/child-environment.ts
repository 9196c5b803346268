/** A child's environment: the variables that programs need, and the configured ones. Nothing else is passed on. */

const SAFE = (
  process.platform === 'win32'
    ? 'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES ' +
      'PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR'
    : 'HOME LOGNAME PATH SHELL TERM USER'
).split(' ')

export function childEnvironment(given: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of SAFE) {
    const value = process.env[name]
    // Some shells would execute such a value as a function.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...given }
}
