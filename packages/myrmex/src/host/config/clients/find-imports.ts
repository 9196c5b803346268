/** What an import offers: the servers of the clients on this machine, and which of them myrmex.json does not have yet. */
import { dirname, resolve } from 'node:path'
import { configuredServers } from '../edit-host-file.ts'
import { validServerName } from '../server-name.ts'
import { type ClientConfig, type ImportCandidate, importCandidates, readClientConfigs } from './import-candidates.ts'
import type { Machine } from './known-clients.ts'
import { isSameServer } from './same-server.ts'

export interface FoundImports {
  readonly files: readonly ClientConfig[]
  readonly offers: readonly ImportCandidate[]
  /** names in myrmex.json */
  readonly known: ReadonlySet<string>
  /** the offers whose names are taken there by other servers */
  readonly differing: ReadonlySet<ImportCandidate>
  /** the offers that are not in it */
  readonly fresh: readonly ImportCandidate[]
}

/** `path`: of myrmex.json. `from`: ids of clients, and files; default: all known clients. */
export async function findImports(machine: Machine, path: string, from?: readonly string[]): Promise<FoundImports> {
  const configured = await configuredServers(path)
  const known = new Set(configured.keys())
  const folder = dirname(resolve(path))
  const files = await readClientConfigs(machine, from)
  const offers = importCandidates(files, new Set(), folder)
  const fresh = offers.filter(
    ({ name, originalName }) => !known.has(name) && !known.has(validServerName(originalName) ?? name),
  )
  const differing = new Set<ImportCandidate>()
  for (const offer of offers) {
    const taken = configured.get(offer.name)
    if (taken !== undefined && !(await isSameServer(taken.entry, offer.entry, folder))) differing.add(offer)
  }
  return { files, offers, known, differing, fresh }
}
