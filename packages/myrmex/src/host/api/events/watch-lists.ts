/** Publishes changes of the host's servers and of the tool list. Changes within a short time are compared once. */
import type { Registry } from '../../../tool/registry.ts'
import type { ServerStatus } from '../../host.ts'
import type { ApiHost } from '../route-context.ts'
import type { LiveEvent } from './live-event.ts'

const SERVERS_DEBOUNCE_MS = 20
const TOOLS_DEBOUNCE_MS = 50
const MAX_NAMES = 100

type Difference = { readonly count: number } & Readonly<Record<'added' | 'removed' | 'changed', readonly string[]>>

/** Compares items by name some time after each change, and reports a difference. Returns a function that stops it. */
function watchItems(
  read: () => ReadonlyMap<string, string>,
  ms: number,
  onChange: (listener: () => void) => () => void,
  report: (difference: Difference) => void,
): () => void {
  let before = read()
  let timer: NodeJS.Timeout | undefined
  const compare = (): void => {
    timer = undefined
    const [old, now] = [before, read()]
    before = now
    const added = [...now.keys()].filter((name) => !old.has(name))
    const removed = [...old.keys()].filter((name) => !now.has(name))
    const changed = [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name))
    if (added.length + removed.length + changed.length > 0) report({ count: now.size, added, removed, changed })
  }
  const forget = onChange(() => {
    timer ??= setTimeout(compare, ms).unref()
  })
  return () => {
    clearTimeout(timer)
    forget()
  }
}

/** Also publishes tools that are quarantined or new, and accepted changes. Call counters alone are not a change. */
export function watchServers(host: ApiHost, publish: (event: LiveEvent) => void): () => void {
  const read = () => new Map(host.servers().map((server) => [server.name, stateOf(server)]))
  const onChange = (listener: () => void): (() => void) =>
    host.onChange((change) => {
      if (change.kind === 'quarantined' || change.kind === 'new_tool') {
        const { server, tool } = change
        publish({ type: change.kind, data: { server, tool } })
      } else if (change.kind === 'accepted') {
        const { server, tool, grade } = change
        publish({ type: 'change_accepted', data: { server, tool, grade } })
      } else if (change.kind === 'sign_in') publishNeed(host, change.server, publish)
      listener()
    })
  return watchItems(read, SERVERS_DEBOUNCE_MS, onChange, ({ added, removed, changed }) => {
    for (const server of host.servers())
      if (added.includes(server.name) || changed.includes(server.name)) publish({ type: 'server', data: server })
    for (const name of removed) publish({ type: 'server_removed', data: { name } })
  })
}

function publishNeed(host: ApiHost, name: string, publish: (event: LiveEvent) => void): void {
  const signIn = host.status(name)?.sign_in
  if (signIn?.state !== 'needed') return
  publish({ type: 'needs_sign_in', data: { server: name, reason: signIn.reason ?? '', command: signIn.command } })
}

function stateOf({ calls: _, failures: __, in_flight: ___, retry_after_ms: ____, ...state }: ServerStatus): string {
  return JSON.stringify(state)
}

export function watchTools(registry: Registry, publish: (event: LiveEvent) => void): () => void {
  const read = () => new Map(registry.listed().map(({ tool }) => [tool.name, `${tool.version} ${tool.hash}`]))
  const onChange = registry.onChange.bind(registry)
  return watchItems(read, TOOLS_DEBOUNCE_MS, onChange, ({ count, added, removed, changed }) => {
    const first = (names: readonly string[]): string[] => names.slice(0, MAX_NAMES)
    publish({ type: 'tools', data: { count, added: first(added), removed: first(removed), changed: first(changed) } })
  })
}
