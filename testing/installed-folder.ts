/**
 * Installs the packages of a folder that has a package.json and a lock file of its own, unless they are there in the versions that it
 * asks for. Such folders hold what others wrote: nobody who installs Myrmex or runs `npm test` pays for them.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** `folder` ends with a slash. Install scripts do not run: they download what the tests do not need. */
export function installFolder(folder: URL, log: (line: string) => void = () => {}): void {
  const missing = Object.entries(askedVersions(folder)).filter(
    ([name, version]) => installedVersion(folder, name) !== version,
  )
  if (missing.length === 0) return
  log(`installing ${missing.map(([name]) => name).join(', ')}`)
  // npm speaks on stdout, which may belong to results.
  execFileSync('npm', ['install', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 2, 2] })
}

export const askedVersions = (folder: URL): Record<string, string> =>
  readJson<{ dependencies: Record<string, string> }>(new URL('package.json', folder)).dependencies

function installedVersion(folder: URL, name: string): string | undefined {
  try {
    return readJson<{ version: string }>(new URL(`node_modules/${name}/package.json`, folder)).version
  } catch {
    return undefined
  }
}

function readJson<T>(file: URL): T {
  return JSON.parse(readFileSync(file, 'utf8'))
}
