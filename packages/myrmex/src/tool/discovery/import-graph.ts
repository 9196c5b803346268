/**
 * Which files of the project import which, recorded as Node resolves their imports, so that a changed file can be loaded again together with
 * the files that import it. Each changed file gets a new edition in its URL: Node then loads that file again, and every other file keeps its
 * state. The editions before stay in memory, because Node cannot unload a module.
 */
import { createRequire, registerHooks } from 'node:module'
import { EDITION, filePath, isProjectFile } from '../source-location.ts'

export class ImportGraph {
  /** by imported file */
  readonly #importers = new Map<string, Set<string>>()
  readonly #editions = new Map<string, string>()
  readonly #listeners = new Set<(file: string) => void>()
  readonly #required = createRequire(import.meta.url).cache
  #count = 0

  /** Of every file that was imported since it is recorded. */
  get files(): Iterable<string> {
    return this.#importers.keys()
  }

  has(file: string): boolean {
    return this.#importers.has(file)
  }

  /** Called with each file that is imported for the first time. */
  onFile(listener: (file: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** `importer` is undefined if it is not a file of the project. */
  add(file: string, importer: string | undefined): void {
    let importers = this.#importers.get(file)
    if (importers === undefined) {
      importers = new Set()
      this.#importers.set(file, importers)
      for (const listener of this.#listeners) listener(file)
    }
    if (importer !== undefined) importers.add(importer)
  }

  /** These files and all that import one of them, directly or through others. */
  affectedBy(files: Iterable<string>): Set<string> {
    const affected = new Set(files)
    for (const file of affected) for (const importer of this.#importers.get(file) ?? []) affected.add(importer)
    return affected
  }

  /** Makes Node load these files again. Their imports are recorded again as it does. */
  renew(files: ReadonlySet<string>): void {
    const edition = String(++this.#count)
    for (const file of files) {
      this.#editions.set(file, edition)
      delete this.#required[file]
    }
    for (const importers of this.#importers.values()) for (const file of files) importers.delete(file)
  }

  /** The URL of the file's current edition. */
  currentUrl(url: string, file: string): string {
    const edition = this.#editions.get(file)
    if (edition === undefined) return url
    const current = new URL(url)
    // Somebody may have asked for an edition of its own.
    if (!current.searchParams.has(EDITION)) current.searchParams.set(EDITION, edition)
    return current.href
  }
}

let tracked: ImportGraph | undefined

/** Records imports from now on; call it before the modules are loaded. Does nothing if it is called again. */
export function trackImports(): ImportGraph {
  tracked ??= hooked(new ImportGraph())
  return tracked
}

function hooked(graph: ImportGraph): ImportGraph {
  registerHooks({
    resolve(specifier, context, next) {
      const importer = projectFile(context.parentURL)
      try {
        const resolved = next(specifier, context)
        const file = projectFile(resolved.url)
        if (file === undefined) return resolved
        graph.add(file, importer)
        // `require` finds files by their path.
        if (context.conditions.includes('require')) return resolved
        return { ...resolved, url: graph.currentUrl(resolved.url, file) }
      } catch (thrown) {
        // The file may be created later.
        const missing = projectFile((thrown as { url?: unknown }).url)
        if (missing !== undefined && importer !== undefined) graph.add(missing, importer)
        throw thrown
      }
    },
  })
  return graph
}

function projectFile(url: unknown): string | undefined {
  const file = typeof url === 'string' && url.startsWith('file:') ? filePath(url) : undefined
  return file !== undefined && isProjectFile(file) ? file : undefined
}
