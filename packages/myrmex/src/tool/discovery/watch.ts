/**
 * Watch mode: a tool file is loaded again if it or a file that it imports changes, a new one is loaded, and a deleted one is removed. A file
 * that breaks keeps what it exported before. Files that change together are loaded together:
 * 1. The changed files and all that import them get a new edition (import-graph.ts).
 * 2. Deleted tool files are removed, and the affected ones are loaded.
 * 3. A file whose definitions another one had waits until that one gives them up.
 * Definitions that files share, because one exports what another one made, stay until the last of these files gives them up.
 */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { Definitions, keysIn, withoutShared } from './duplicates.ts'
import { trackImports } from './import-graph.ts'
import { type FailedModule, moduleFailure } from './load-error.ts'
import { loadModule, type Module } from './module.ts'

export interface Watching {
  close(): Promise<void>
}

/** A module that was loaded, loaded again or removed. */
export interface ModuleChange {
  readonly file: string
  /** the changed files that brought it about: the file itself, or what it imports */
  readonly causes: readonly string[]
  readonly before: Module | undefined
  readonly now: Module | undefined
}

export interface WatchOptions {
  /** the files and folders to watch */
  paths: readonly string[]
  /** modules that are loaded already. Their imports are watched if `trackImports()` was called before */
  modules: readonly Module[]
  /** files of `paths` that could not be loaded */
  failures?: readonly FailedModule[]
  /**
   * Replaces the earlier exports of a file by the current ones; either may be undefined. The earlier ones are without those that
   * another file exports too.
   */
  replace: (before: Module | undefined, now: Module | undefined) => void
  onFailure: (failure: FailedModule) => void
  onChange?: (change: ModuleChange) => void
}

const TOOL_FILE = /\.(tools|agent)\.m?[jt]s$/
const IGNORED = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/
/** Files that are saved within this time are loaded together. */
const SETTLE_MS = 50

export async function watchModules(options: WatchOptions): Promise<Watching> {
  const { watch } = await import('chokidar')
  const graph = trackImports()
  const roots = options.paths.map(realPath)
  // Folders named outright are watched wherever they are; what lies below them is not.
  const isIgnored = (path: string): boolean =>
    roots.some((root) => path.startsWith(root + sep) && IGNORED.test(path.slice(root.length)))
  const isBelow = (path: string): boolean =>
    roots.some((root) => path === root || path.startsWith(root + sep)) && !isIgnored(path)
  /** imported files elsewhere */
  const others = new Set([...graph.files].filter((file) => !isBelow(file)))
  const watcher = watch([...roots, ...others], {
    ignoreInitial: true,
    ignored: (path) => !others.has(path) && isIgnored(path),
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  const stopListening = graph.onFile((file) => {
    if (isBelow(file) || others.has(file)) return
    others.add(file)
    watcher.add(file)
  })
  const modules = await WatchedModules.of(options)
  const isServed = (file: string): boolean => modules.has(file) || (TOOL_FILE.test(file) && isBelow(file))

  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  // One after the other: two quick saves must not end with the older one in place.
  let turn: Promise<void> = Promise.resolve()
  const update = async (): Promise<void> => {
    const causes = [...changed].filter((file) => graph.has(file) || isServed(file))
    changed.clear()
    if (causes.length === 0) return
    const causesOf = new Map<string, string[]>()
    for (const cause of causes)
      for (const file of graph.affectedBy([cause])) causesOf.set(file, [...(causesOf.get(file) ?? []), cause])
    graph.renew(new Set(causesOf.keys()))
    await modules.update(new Map([...causesOf].filter(([file]) => isServed(file)).sort(([a], [b]) => (a < b ? -1 : 1))))
  }
  watcher.on('all', (event, path) => {
    if (event !== 'add' && event !== 'change' && event !== 'unlink') return
    changed.add(realPath(path))
    timer ??= setTimeout(() => {
      timer = undefined
      turn = turn.then(update)
    }, SETTLE_MS)
  })
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return {
    async close() {
      stopListening()
      clearTimeout(timer)
      await watcher.close()
      await turn
    },
  }
}

/** A module that was loaded, and refused when it was to be served. */
interface WaitingModule {
  readonly module: Module
  causes: readonly string[]
  /** why it is refused, as it was reported last; undefined until it was tried */
  why: string | undefined
}

/** The modules of the watched files, by the real path of each file. */
class WatchedModules {
  readonly #options: WatchOptions
  readonly #served: Map<string, Module>
  /** Another file has something that they define. */
  readonly #waiting = new Map<string, WaitingModule>()
  readonly #broken: Set<string>

  private constructor(options: WatchOptions) {
    this.#options = options
    this.#served = new Map(options.modules.map((module) => [realPath(module.file), module]))
    this.#broken = new Set(options.failures?.map(({ module }) => realPath(module)))
  }

  static async of(options: WatchOptions): Promise<WatchedModules> {
    const modules = new WatchedModules(options)
    for (const { module: file, error_type } of options.failures ?? []) {
      if (error_type !== 'RegistrationError') continue
      // Node has it already, unless it cannot be loaded.
      const module = await loadModule(file).catch(() => undefined)
      const why = module && modules.#tryToServe(realPath(file), module, [])
      if (module !== undefined && why !== undefined)
        modules.#waiting.set(realPath(file), { module, causes: [], why: why.error })
    }
    return modules
  }

  has(file: string): boolean {
    return this.#served.has(file) || this.#broken.has(file)
  }

  /** Loads these files again, or removes them if they are gone. */
  async update(causesOf: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const all = [...new Set([...causesOf.values()].flat())]
    for (const waiting of this.#waiting.values()) waiting.causes = all
    for (const [file, causes] of causesOf) {
      if (existsSync(file)) await this.#load(file, causes)
      else this.#remove(file, causes)
    }
    this.#serveWaiting()
  }

  async #load(file: string, causes: readonly string[]): Promise<void> {
    const name = this.#served.get(file)?.file ?? this.#waiting.get(file)?.module.file ?? file
    this.#waiting.delete(file)
    try {
      this.#waiting.set(file, { module: await loadModule(name), causes, why: undefined })
    } catch (thrown) {
      this.#broken.add(file)
      this.#options.onFailure(moduleFailure(name, thrown))
    }
  }

  #remove(file: string, causes: readonly string[]): void {
    this.#waiting.delete(file)
    this.#broken.delete(file)
    const before = this.#served.get(file)
    if (before === undefined) return
    this.#served.delete(file)
    this.#options.replace(withoutShared(before, [...this.#served.values()]), undefined)
    this.#options.onChange?.({ file: before.file, causes, before, now: undefined })
  }

  /** Each module that is served may give up what another one waits for. */
  #serveWaiting(): void {
    const refused = new Map<string, FailedModule>()
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false
      for (const [file, { module, causes }] of this.#waiting) {
        const why = this.#tryToServe(file, module, causes)
        if (why !== undefined) refused.set(file, why)
        else hasChanged = this.#waiting.delete(file)
      }
    }
    for (const [file, waiting] of this.#waiting) {
      const failure = refused.get(file) as FailedModule
      this.#broken.add(file)
      if (failure.error !== waiting.why) this.#options.onFailure(failure)
      waiting.why = failure.error
    }
  }

  /** Returns why not. */
  #tryToServe(file: string, now: Module, causes: readonly string[]): FailedModule | undefined {
    const before = this.#served.get(file)
    const others = [...this.#served].filter(([other]) => other !== file)
    // Their own replacements come next, and may define the same.
    const isNext = ([other]: [string, Module]): boolean =>
      this.#waiting.has(other) && this.#waiting.get(other)?.why === undefined
    const next = others.filter(isNext).map(([, module]) => module)
    const staying = others.filter((other) => !isNext(other)).map(([, module]) => module)
    const failure = duplicateIn(now, staying)
    if (failure !== undefined) return failure
    try {
      this.#options.replace(before && withoutShared(withoutShared(before, staying), next, keysIn(now)), now)
    } catch (thrown) {
      return moduleFailure(now.file, thrown)
    }
    this.#served.set(file, now)
    this.#broken.delete(file)
    this.#options.onChange?.({ file: now.file, causes, before, now })
    return undefined
  }
}

/** Why a module cannot be served beside others that are. */
function duplicateIn(module: Module, others: readonly Module[]): FailedModule | undefined {
  const definitions = new Definitions()
  for (const other of others) definitions.add(other)
  return definitions.add(module)
}

/** The path as Node's modules have it, without links; that of the folder, if the file is gone. */
function realPath(path: string): string {
  const full = resolve(path)
  try {
    return realpathSync(full)
  } catch {
    const folder = dirname(full)
    return folder === full ? full : join(realPath(folder), basename(full))
  }
}
