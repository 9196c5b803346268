/** Changes of the list of tools: those of one moment are told at once. */
import type { Registry } from '../../../tool/registry.ts'
import type { LiveEvent } from './live-event.ts'

const WITHIN_MS = 50
const MOST_NAMES = 100

export function watchTools(registry: Registry, publish: (event: LiveEvent) => void): () => void {
  let before = hashes(registry)
  let timer: NodeJS.Timeout | undefined
  const tell = (): void => {
    timer = undefined
    const now = hashes(registry)
    const names = (of: Map<string, string>, chosen: (name: string) => boolean): string[] =>
      [...of.keys()].filter(chosen).slice(0, MOST_NAMES)
    const known = before
    const data = {
      count: now.size,
      added: names(now, (name) => !known.has(name)),
      removed: names(known, (name) => !now.has(name)),
      changed: names(now, (name) => known.has(name) && known.get(name) !== now.get(name)),
    }
    before = now
    if (data.added.length + data.removed.length + data.changed.length > 0) publish({ type: 'tools', data })
  }
  const forget = registry.onChange(() => {
    timer ??= setTimeout(tell, WITHIN_MS).unref()
  })
  return () => {
    clearTimeout(timer)
    forget()
  }
}

const hashes = (registry: Registry): Map<string, string> =>
  new Map(registry.listed().map(({ tool }) => [tool.name, `${tool.version} ${tool.hash}`]))
