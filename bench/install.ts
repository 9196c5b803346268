// Installs the peers into bench/peers when they are not there in the versions its package.json asks for. They are no
// part of the workspace: nobody who installs Myrmex or runs its tests pays for them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const folder = new URL('peers/', import.meta.url)

export function installPeers(log: (line: string) => void): void {
  const { dependencies }: { dependencies: Record<string, string> } = readJson('package.json')
  const stale = Object.entries(dependencies).filter(([name, version]) => installedVersion(name) !== version)
  if (stale.length === 0) return
  log(`installing the peers (${stale.map(([name]) => name).join(', ')})`)
  // npm speaks on stdout; ours belongs to the results.
  execFileSync('npm', ['install'], { cwd: folder, stdio: ['ignore', 2, 2] })
}

export function peerVersions(): Record<string, string> {
  return readJson<{ dependencies: Record<string, string> }>('package.json').dependencies
}

function installedVersion(name: string): string | undefined {
  try {
    return readJson<{ version: string }>(`node_modules/${name}/package.json`).version
  } catch {
    return undefined
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
}
