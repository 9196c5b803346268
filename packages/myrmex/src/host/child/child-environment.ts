/** What a child may know of our environment: what programs cannot do without, and what the operator gave it. Nothing else. */

const SAFE =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'PROGRAMFILES(X86)',
        'PROGRAMW6432',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']

export function childEnvironment(given: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of SAFE) {
    const value = process.env[name]
    // A value that begins like this is a function that some shells would run.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...given }
}
