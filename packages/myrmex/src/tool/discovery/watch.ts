/**
 * Watch mode: a changed tool file is loaded again, a new one is loaded, a deleted one is removed. A file that breaks keeps what
 * it exported before.
 */
import { stat } from 'node:fs/promises'
import { type FailedModule, moduleFailure } from './discover.ts'
import { loadModule, type Module } from './module.ts'

export interface Watching {
  close(): Promise<void>
}

export interface WatchOptions {
  /** the files and folders to watch */
  paths: readonly string[]
  /** modules that are loaded already */
  modules: readonly Module[]
  /** replaces the earlier exports of a file by the current ones; either may be undefined */
  replace: (before: Module | undefined, now: Module | undefined) => void
  onFailure: (failure: FailedModule) => void
}

const TOOL_FILE = /\.(tools|agent)\.m?[jt]s$/
const IGNORED = /(^|\/)(node_modules|dist|\.[^/]+)(\/|$)/

export async function watchModules({ paths, modules, replace, onFailure }: WatchOptions): Promise<Watching> {
  const { watch } = await import('chokidar')
  const current = new Map(modules.map((module) => [module.file, module]))
  const isOurs = (file: string): boolean => current.has(file) || TOOL_FILE.test(file)
  const watcher = watch([...paths], {
    ignoreInitial: true,
    // Folders named outright are watched wherever they are; what lies below them is not.
    ignored: (path) => paths.some((root) => path.startsWith(`${root}/`) && IGNORED.test(path.slice(root.length))),
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  const put = (file: string, now: Module | undefined): void => {
    replace(current.get(file), now)
    if (now === undefined) current.delete(file)
    else current.set(file, now)
  }
  const load = async (file: string): Promise<void> => {
    try {
      put(file, await loadModule(file, (await stat(file)).mtimeMs))
    } catch (error) {
      onFailure(moduleFailure(file, error))
    }
  }
  // One at a time: two quick saves must not end with the older one in place.
  let turn: Promise<void> = Promise.resolve()
  const queued = (file: string): void => {
    if (isOurs(file)) turn = turn.then(() => load(file))
  }
  watcher.on('change', queued)
  watcher.on('add', queued)
  watcher.on('unlink', (file) => {
    turn = turn.then(() => {
      if (current.has(file)) put(file, undefined)
    })
  })
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return {
    async close() {
      await watcher.close()
      await turn
    },
  }
}
