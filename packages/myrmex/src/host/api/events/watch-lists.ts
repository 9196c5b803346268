/** Publishes changes of the host's servers and of the tool list. Changes within a short time are compared once. */
import type { Registry } from '../../../tool/registry.ts'
import type { ServerStatus } from '../../host.ts'
import type { ApiHost } from '../route-context.ts'
import type { LiveEvent } from './live-event.ts'

const SERVERS_DEBOUNCE_MS = 20
const TOOLS_DEBOUNCE_MS = 50
const MAX_NAMES = 100

/** Runs `emit` some time after the first call of `schedule`. */
function debounced(emit: () => void, ms: number): { schedule(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  const run = (): void => {
    timer = undefined
    emit()
  }
  return {
    schedule: () => {
      timer ??= setTimeout(run, ms).unref()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Also publishes quarantined tools. Call counters alone are not a change. */
export function watchServers(host: ApiHost, publish: (event: LiveEvent) => void): () => void {
  const states = (): Map<string, string> => new Map(host.servers().map((server) => [server.name, stateOf(server)]))
  let before = states()
  const emit = (): void => {
    const now = states()
    for (const server of host.servers()) {
      if (before.get(server.name) !== now.get(server.name)) publish({ type: 'server', data: server })
    }
    for (const name of before.keys()) if (!now.has(name)) publish({ type: 'server_removed', data: { name } })
    before = now
  }
  const { schedule, stop } = debounced(emit, SERVERS_DEBOUNCE_MS)
  const forget = host.onChange((change) => {
    if (change.kind === 'quarantined') {
      const { server, tool } = change
      publish({ type: 'quarantined', data: { server, tool } })
    }
    schedule()
  })
  return () => {
    stop()
    forget()
  }
}

function stateOf({ calls: _, failures: __, in_flight: ___, retry_after_ms: ____, ...state }: ServerStatus): string {
  return JSON.stringify(state)
}

export function watchTools(registry: Registry, publish: (event: LiveEvent) => void): () => void {
  let before = hashes(registry)
  const emit = (): void => {
    const now = hashes(registry)
    const names = (of: Map<string, string>, chosen: (name: string) => boolean): string[] =>
      [...of.keys()].filter(chosen).slice(0, MAX_NAMES)
    const previous = before
    const data = {
      count: now.size,
      added: names(now, (name) => !previous.has(name)),
      removed: names(previous, (name) => !now.has(name)),
      changed: names(now, (name) => previous.has(name) && previous.get(name) !== now.get(name)),
    }
    before = now
    if (data.added.length + data.removed.length + data.changed.length > 0) publish({ type: 'tools', data })
  }
  const { schedule, stop } = debounced(emit, TOOLS_DEBOUNCE_MS)
  const forget = registry.onChange(schedule)
  return () => {
    stop()
    forget()
  }
}

const hashes = (registry: Registry): Map<string, string> =>
  new Map(registry.listed().map(({ tool }) => [tool.name, `${tool.version} ${tool.hash}`]))
