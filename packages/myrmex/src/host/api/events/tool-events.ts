/** Publishes changes of the tool list. Changes within a short time become one event. */
import type { Registry } from '../../../tool/registry.ts'
import type { LiveEvent } from './live-event.ts'

const DEBOUNCE_MS = 50
const MAX_NAMES = 100

export function watchTools(registry: Registry, publish: (event: LiveEvent) => void): () => void {
  let before = hashes(registry)
  let timer: NodeJS.Timeout | undefined
  const emit = (): void => {
    timer = undefined
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
  const forget = registry.onChange(() => {
    timer ??= setTimeout(emit, DEBOUNCE_MS).unref()
  })
  return () => {
    clearTimeout(timer)
    forget()
  }
}

const hashes = (registry: Registry): Map<string, string> =>
  new Map(registry.listed().map(({ tool }) => [tool.name, `${tool.version} ${tool.hash}`]))
