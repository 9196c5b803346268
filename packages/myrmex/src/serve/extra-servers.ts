/** Adds the servers of myrmex.json to a fleet's endpoint, and reloads them when the file changes. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { HOST_FILE, readHostFile } from '../host/config/read-host-file.ts'
import type { Host } from '../host/host.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { approvalSettings } from '../pipeline/rules/approval-settings.ts'
import { announceServers } from './announce.ts'
import { requireFolder } from './folder-trust.ts'
import { reloadOnChange } from './reload.ts'
import { say } from './terminal.ts'

export interface ExtraServers {
  close(): Promise<void>
}

/** What of a fleet takes further servers. */
interface ExtensibleFleet {
  readonly agents: readonly { readonly name: string }[]
  readonly host: Pick<Host, 'servers' | 'status' | 'problems' | 'onChange' | 'server' | 'notifier'>
  readonly replaceServers: Host['replace']
}

const NONE: ExtraServers = { close: async () => {} }

/** Without the file, nothing is added. */
export async function openExtraServers(
  fleet: ExtensibleFleet,
  { lock }: Ledger,
  path = HOST_FILE,
): Promise<ExtraServers> {
  if (!existsSync(path)) return NONE
  await requireFolder(dirname(path))
  const file = await readHostFile(path)
  lock.fileMayTrust = file.host.open
  for (const note of file.notes) say(`${path}: ${note}`)
  const isAgent = (name: string): boolean => fleet.agents.some((agent) => agent.name === name)
  const servers = {
    servers: () => fleet.host.servers().filter(({ name }) => !isAgent(name)),
    status: (name: string) => (isAgent(name) ? undefined : fleet.host.status(name)),
    get problems() {
      return fleet.host.problems.filter(({ server }) => !isAgent(server))
    },
    onChange: (listener: Parameters<Host['onChange']>[0]) => fleet.host.onChange(listener),
    replace: fleet.replaceServers,
    server: fleet.host.server,
    notifier: fleet.host.notifier,
  }
  const { pipeline } = servers.server
  pipeline.approvalSettings = approvalSettings(pipeline.policy.waiting, file.approvals)
  servers.notifier.configure(file.announcements)
  const announcer = announceServers(servers)
  await servers.replace(file.settings)
  announcer.announceAll(file)
  const watch = await reloadOnChange(path, servers, file, lock)
  return {
    async close() {
      announcer.stop()
      await watch.close()
    },
  }
}
