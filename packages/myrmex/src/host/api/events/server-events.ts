/** Changes of the servers behind the host, and tools that are not what they were. What merely counts calls is no change. */
import type { HostedServerStatus, HostView } from '../host-view.ts'
import type { LiveEvent } from './live-event.ts'

const WITHIN_MS = 20

export function watchServers(host: HostView, publish: (event: LiveEvent) => void): () => void {
  const states = (): Map<string, string> => new Map(host.servers().map((server) => [server.name, stateOf(server)]))
  let before = states()
  let timer: NodeJS.Timeout | undefined
  const tell = (): void => {
    timer = undefined
    const now = states()
    for (const server of host.servers()) {
      if (before.get(server.name) !== now.get(server.name)) publish({ type: 'server', data: server })
    }
    for (const name of before.keys()) if (!now.has(name)) publish({ type: 'server_gone', data: { name } })
    before = now
  }
  const forget = host.onChange((change) => {
    if (change.kind === 'quarantined') {
      const { server, tool } = change
      publish({ type: 'quarantined', data: { server, tool } })
    }
    timer ??= setTimeout(tell, WITHIN_MS).unref()
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
