/** The servers of all clients on this machine, under unique names. The same server in two clients is listed once. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ToolError } from '../../../protocol/errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { validServerName } from '../server-name.ts'
import type { ImportedEntry } from './client-entry.ts'
import { readClientServers } from './client-servers.ts'
import { CLIENTS, type Client, type ClientFile, type Machine } from './known-clients.ts'
import { baseFolder, entryFor } from './relocate.ts'
import { findClient, requireClient } from './this-machine.ts'

export interface ClientConfig {
  /** the client's title, such as Cursor */
  readonly client: string
  readonly id: string
  readonly path: string
  readonly servers: readonly ImportedEntry[]
  /** relative paths in it start here */
  readonly base: string
  /** why it could not be read */
  readonly problem?: string
}

export interface ImportCandidate {
  /** the name that it gets in myrmex.json */
  readonly name: string
  readonly entry: JsonObject
  readonly notes: readonly string[]
  /** its name in the client's file */
  readonly originalName: string
  readonly path: string
  readonly clients: readonly string[]
}

/** Reads the files that exist. A file named with --from must exist. */
export async function readClientConfigs(
  machine: Machine,
  from: readonly string[] | undefined,
): Promise<ClientConfig[]> {
  const found: ClientConfig[] = []
  for (const { client, id, path, block, format, isNamed } of configLocations(machine, from)) {
    const base = baseFolder(resolve(machine.cwd, path))
    try {
      const servers = await readClientServers(path, block, format)
      if (servers !== undefined) found.push({ client, id, path, servers, base })
      else if (isNamed) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
    } catch (error) {
      if (isNamed || !(error instanceof ToolError)) throw error
      found.push({ client, id, path, servers: [], base, problem: error.message })
    }
  }
  return found
}

interface ConfigLocation extends Pick<ClientConfig, 'client' | 'id' | 'path'> {
  readonly block: ClientFile['block'] | undefined
  readonly format?: ClientFile['format']
  readonly isNamed: boolean
}

function configLocations(machine: Machine, from: readonly string[] | undefined): ConfigLocation[] {
  const filesOf = ({ title: client, id, files }: Client): ConfigLocation[] =>
    files(machine).map(({ path, block, format }) => ({ client, id, path, block, format, isNamed: false }))
  if (from === undefined) return CLIENTS.flatMap(filesOf)
  return from.flatMap((given) => {
    // A name that looks like a path is one, even if the file does not exist.
    const client = findClient(given) ?? (/[./\\]/.test(given) ? undefined : requireClient(given))
    return client ? filesOf(client) : [{ client: given, id: 'file', path: given, block: undefined, isNamed: true }]
  })
}

/** `taken` are names in use. `folder`: of myrmex.json; what was relative to another folder becomes absolute. */
export function importCandidates(
  files: readonly ClientConfig[],
  taken: ReadonlySet<string>,
  folder: string,
): ImportCandidate[] {
  const offers: ImportCandidate[] = []
  const used = new Set(taken)
  for (const { client: title, id, path, servers, base } of files) {
    for (const { name: written, entry: original, notes } of servers) {
      if (original === undefined) continue
      const entry = entryFor(original, base, folder)
      const same = offers.findIndex(
        (other) =>
          validServerName(other.originalName) === validServerName(written) && isDeepStrictEqual(other.entry, entry),
      )
      const twin = offers[same]
      if (twin !== undefined) {
        offers[same] = { ...twin, clients: [...new Set([...twin.clients, title])] }
        continue
      }
      const name = unusedName(written, id, used)
      used.add(name)
      offers.push({ name, entry, notes, originalName: written, path, clients: [title] })
    }
  }
  return offers
}

/** Its own name; if that is in use, the client's name is appended. */
function unusedName(written: string, client: string, used: ReadonlySet<string>): string {
  const own = validServerName(written)
  if (own !== undefined && !used.has(own)) return own
  const base = `${own ?? 'server'}_${client.replaceAll('-', '_')}`.slice(-36)
  let name = base
  for (let count = 2; used.has(name); count++) name = `${base}_${count}`
  return name
}
