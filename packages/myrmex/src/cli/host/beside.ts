/** The servers of myrmex.json beside the agents of a fleet, behind the same door; read again whenever the file changes. */
import { existsSync } from 'node:fs'
import type { Fleet } from '../../agent/fleet/fleet.ts'
import { HOST_FILE, readHostFile } from '../../host/config/read.ts'
import { say } from '../terminal.ts'
import { reloading } from './reload.ts'
import { tellOfServers } from './tell.ts'

export interface Beside {
  close(): Promise<void>
}

const NONE: Beside = { close: async () => {} }

/** Whoever has no such file has the agents alone. */
export async function serversBeside(fleet: Fleet, path = HOST_FILE): Promise<Beside> {
  if (!existsSync(path)) return NONE
  const file = await readHostFile(path)
  for (const note of file.notes) say(`${path}: ${note}`)
  const isAgent = (name: string): boolean => fleet.agents.some((agent) => agent.name === name)
  const servers = {
    servers: () => fleet.host.servers().filter(({ name }) => !isAgent(name)),
    get problems() {
      return fleet.host.problems.filter(({ server }) => !isAgent(server))
    },
    onChange: fleet.host.onChange,
    replace: fleet.replaceServers,
  }
  const telling = tellOfServers(servers)
  await servers.replace(file.settings)
  telling.now(file)
  const watching = await reloading(path, servers, file)
  return {
    async close() {
      telling.end()
      await watching.close()
    },
  }
}
