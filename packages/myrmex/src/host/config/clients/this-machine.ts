/** Facts about this machine that locate the clients' files, and the clients by id. */
import { homedir } from 'node:os'
import { ToolError } from '../../../protocol/errors.ts'
import { didYouMean } from '../../../protocol/text.ts'
import { nearest } from '../../../tool/nearest.ts'
import { CLIENTS, type Client, type Machine } from './known-clients.ts'

export const thisMachine = (): Machine => ({
  platform: process.platform,
  home: homedir(),
  cwd: process.cwd(),
  env: process.env,
})

/** ~/.cursor/mcp.json */
export function shortPath(path: string, { home, cwd }: Machine): string {
  if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1)
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

export const findClient = (id: string): Client | undefined => CLIENTS.find((client) => client.id === id.toLowerCase())

export function requireClient(id: string): Client {
  const found = findClient(id)
  if (found !== undefined) return found
  const ids = CLIENTS.map((client) => client.id)
  const hint = didYouMean(nearest(id.toLowerCase(), ids)) || ` Known clients: ${ids.join(', ')}.`
  throw ToolError.of('ValidationError', `Unknown client ${JSON.stringify(id)}.${hint}`)
}
