/** The servers of all clients on this machine, each under a name that no other has. The same server in two clients is one. */
import { isDeepStrictEqual } from 'node:util'
import { type ClientServer, clientServers } from '../../host/config/client-servers.ts'
import { CLIENTS, type ClientFile, type Machine } from '../../host/config/clients.ts'
import { serverName } from '../../host/config/server-name.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { findClient, knownClient } from './machine.ts'

export interface FoundFile {
  /** who keeps it: Cursor */
  readonly title: string
  readonly id: string
  readonly path: string
  readonly servers: readonly ClientServer[]
  /** why it could not be read */
  readonly problem?: string
}

export interface Offer {
  /** under which it is taken over */
  readonly name: string
  readonly entry: JsonObject
  readonly notes: readonly string[]
  /** as its client calls it */
  readonly written: string
  readonly path: string
  readonly titles: readonly string[]
}

/** Files that are there; those named outright must be. */
export async function foundFiles(machine: Machine, from: readonly string[] | undefined): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const { title, id, path, block, isNamed } of places(machine, from)) {
    try {
      const servers = await clientServers(path, block)
      if (servers !== undefined) found.push({ title, id, path, servers })
      else if (isNamed) throw new ToolError('FileNotFoundError', `${path} does not exist`)
    } catch (error) {
      if (isNamed || !(error instanceof ToolError)) throw error
      found.push({ title, id, path, servers: [], problem: error.message })
    }
  }
  return found
}

interface LookedAt {
  readonly title: string
  readonly id: string
  readonly path: string
  readonly block: ClientFile['block'] | undefined
  readonly isNamed: boolean
}

function places(machine: Machine, from: readonly string[] | undefined): LookedAt[] {
  if (from === undefined) return CLIENTS.flatMap((client) => placesOf(client.id, machine))
  return from.flatMap((given) => {
    if (findClient(given) !== undefined) return placesOf(given, machine)
    // What looks like a path is one, whether it is there or not.
    if (!/[./\\]/.test(given)) knownClient(given)
    return [{ title: given, id: 'file', path: given, block: undefined, isNamed: true }]
  })
}

function placesOf(id: string, machine: Machine): LookedAt[] {
  const client = knownClient(id)
  return client
    .files(machine)
    .map(({ path, block }) => ({ title: client.title, id: client.id, path, block, isNamed: false }))
}

/** `taken` are names that are in use already. */
export function offersOf(files: readonly FoundFile[], taken: ReadonlySet<string>): Offer[] {
  const offers: Offer[] = []
  const used = new Set(taken)
  for (const { title, id, path, servers } of files) {
    for (const { name: written, entry, notes } of servers) {
      if (entry === undefined) continue
      const same = offers.findIndex(
        (other) => wordOf(other.written) === wordOf(written) && isDeepStrictEqual(other.entry, entry),
      )
      const twin = offers[same]
      if (twin !== undefined) {
        offers[same] = { ...twin, titles: [...new Set([...twin.titles, title])] }
        continue
      }
      const name = freeName(written, id, used)
      used.add(name)
      offers.push({ name, entry, notes, written, path, titles: [title] })
    }
  }
  return offers
}

/** The one it has, with its client's behind it where that is taken by another. */
function freeName(written: string, client: string, used: ReadonlySet<string>): string {
  const own = wordOf(written)
  if (own !== undefined && !used.has(own)) return own
  const base = `${own ?? 'server'}_${client.replaceAll('-', '_')}`.slice(-36)
  let name = base
  for (let count = 2; used.has(name); count++) name = `${base}_${count}`
  return name
}

export function wordOf(written: string): string | undefined {
  const name = serverName(written)
  return typeof name === 'string' ? name : undefined
}
