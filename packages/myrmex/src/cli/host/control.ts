/**
 * `myrmex host restart|stop|start|refresh`: controls servers of the running host through its API, and prints their new status. A server
 * that is stopped stays so until it is started again.
 */
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { ServerStatus } from '../../host/host.ts'
import { ToolError } from '../../protocol/errors.ts'
import { didYouMean } from '../../protocol/text.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { oneLine, print, say } from '../../serve/terminal.ts'
import { nearest } from '../../tool/nearest.ts'
import { apiOf, type HostApi, type RunningHostOptions, runningHost } from './running-host.ts'
import { statusTable } from './status.ts'

export type Control = 'restart' | 'stop' | 'start' | 'refresh'

export async function controlServers(
  control: Control,
  given: readonly string[],
  { config, state, all, json }: RunningHostOptions & { all?: boolean; json?: boolean },
): Promise<void> {
  if (given.length === 0 && !all)
    throw ToolError.of('ValidationError', `Which server? Name one or more, or use --all: myrmex host ${control} NAME`)
  const api = apiOf(await runningHost(hostFolder(config ?? HOST_FILE, state)), `to ${control} servers`)
  try {
    const names = await chosenNames(api, given, all === true)
    const refused: ToolError[] = []
    const servers = await Promise.all(
      names.map((name) => {
        const path = `/servers/${encodeURIComponent(name)}`
        return api.post<ServerStatus>(`${path}/${control}`).catch((error: unknown) => {
          if (!(error instanceof ToolError)) throw error
          refused.push(error)
          return api.get<ServerStatus>(path)
        })
      }),
    )
    if (json) print(JSON.stringify({ servers }, null, 2))
    else for (const line of statusTable(servers)) print(line)
    for (const { message } of refused) say(oneLine(message))
    // A server is not in the state that was asked for.
    const isRunning = servers.every(({ state: now }) => now === 'ready' || now === 'idle')
    if (refused.length > 0 || (control !== 'stop' && !isRunning)) process.exitCode = 1
  } finally {
    await api.close()
  }
}

/** Before any of them is touched. */
async function chosenNames(api: HostApi, given: readonly string[], all: boolean): Promise<readonly string[]> {
  const { servers } = await api.get<{ servers: ServerStatus[] }>('/servers')
  const known = servers.map(({ name }) => name)
  if (all) return known
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return [...new Set(given)]
  const hint = didYouMean(nearest(unknown, known)) || ` Servers of this host: ${known.join(', ') || 'none'}.`
  throw ToolError.of('ValidationError', `Unknown server ${JSON.stringify(unknown)}.${hint}`)
}
