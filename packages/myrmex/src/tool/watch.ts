/** Watch mode: a tool file that changes is loaded anew and its tools replaced; a file that breaks keeps its old tools. */
import { stat } from 'node:fs/promises'
import { type FailedModule, failed } from './discover.ts'
import { loadModule, type Module } from './module.ts'
import type { Registry } from './registry.ts'

export interface Watching {
  close(): Promise<void>
}

/** Reloads into `registry`, whose change listeners send `list_changed`. `onFailure` hears of files that do not load. */
export async function watchModules(
  modules: readonly Module[],
  registry: Registry,
  onFailure: (failure: FailedModule) => void,
): Promise<Watching> {
  const { watch } = await import('chokidar')
  const current = new Map(modules.map((module) => [module.file, module]))
  const watcher = watch([...current.keys()], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  let turn: Promise<void> = Promise.resolve()
  const reload = async (file: string): Promise<void> => {
    try {
      const loaded = await loadModule(file, (await stat(file)).mtimeMs)
      replace(registry, current.get(file), loaded)
      current.set(file, loaded)
    } catch (error) {
      onFailure(failed(file, error))
    }
  }
  // One at a time: two quick saves must not end with the older one registered.
  watcher.on('change', (file) => {
    turn = turn.then(() => reload(file))
  })
  watcher.on('unlink', (file) => {
    replace(registry, current.get(file), undefined)
    current.delete(file)
  })
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return {
    async close() {
      await watcher.close()
      await turn
    },
  }
}

/** A definition may change without a new version while it is being written: in watch mode the file is the truth. */
function replace(registry: Registry, old: Module | undefined, next: Module | undefined): void {
  for (const tool of old?.tools ?? []) {
    const kept = next?.tools.find((other) => other.name === tool.name && other.version === tool.version)
    // Same definition, perhaps other code behind it: the newly loaded one must answer all the same.
    if (kept === undefined || kept !== tool) registry.unregister(tool.name, tool.version)
  }
  for (const tool of next?.tools ?? []) registry.register(tool)
}
