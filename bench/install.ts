// Installs what others wrote when it is not there in the versions that its folder's package.json asks for: the peers of our server
// into bench/peers, the gateways beside our host into bench/gateways. Neither is part of the workspace: nobody who installs Myrmex or
// runs its tests pays for them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Two, because the gateways bring other versions of what the peers use. */
export type PeerFolder = 'peers' | 'gateways'

export function installPeers(folder: PeerFolder, log: (line: string) => void): void {
  const stale = Object.entries(peerVersions(folder)).filter(
    ([name, version]) => installedVersion(folder, name) !== version,
  )
  if (stale.length === 0) return
  log(`installing the ${folder} (${stale.map(([name]) => name).join(', ')})`)
  // npm speaks on stdout; ours belongs to the results.
  execFileSync('npm', ['install'], { cwd: new URL(`${folder}/`, import.meta.url), stdio: ['ignore', 2, 2] })
}

export function peerVersions(folder: PeerFolder): Record<string, string> {
  return readJson<{ dependencies: Record<string, string> }>(`${folder}/package.json`).dependencies
}

function installedVersion(folder: PeerFolder, name: string): string | undefined {
  try {
    return readJson<{ version: string }>(`${folder}/node_modules/${name}/package.json`).version
  } catch {
    return undefined
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
}
