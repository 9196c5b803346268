/** Publishes changes of the servers behind the host, and quarantined tools. Call counters alone are not a change. */
import type { ServerStatus as HostedServerStatus } from '../../host.ts'
import type { ApiHost } from '../route-context.ts'
import type { LiveEvent } from './live-event.ts'

const DEBOUNCE_MS = 20

export function watchServers(host: ApiHost, publish: (event: LiveEvent) => void): () => void {
  const states = (): Map<string, string> => new Map(host.servers().map((server) => [server.name, stateOf(server)]))
  let before = states()
  let timer: NodeJS.Timeout | undefined
  const emit = (): void => {
    timer = undefined
    const now = states()
    for (const server of host.servers()) {
      if (before.get(server.name) !== now.get(server.name)) publish({ type: 'server', data: server })
    }
    for (const name of before.keys()) if (!now.has(name)) publish({ type: 'server_removed', data: { name } })
    before = now
  }
  const forget = host.onChange((change) => {
    if (change.kind === 'quarantined') {
      const { server, tool } = change
      publish({ type: 'quarantined', data: { server, tool } })
    }
    timer ??= setTimeout(emit, DEBOUNCE_MS).unref()
  })
  return () => {
    clearTimeout(timer)
    forget()
  }
}

function stateOf({
  calls: _,
  failures: __,
  in_flight: ___,
  retry_after_ms: ____,
  ...state
}: HostedServerStatus): string {
  return JSON.stringify(state)
}
