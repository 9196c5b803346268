/** Finds the `*.tools.ts|js` and `*.agent.ts|js` modules of a folder and loads each separately: a broken file affects no other. */
import { glob, readdir } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { cacheTtlMs } from '../cache-ttl.ts'
import type { Tool } from '../tool.ts'
import { Definitions } from './duplicates.ts'
import { type FailedModule, moduleFailure } from './load-error.ts'
import { loadModule, type Module } from './module.ts'
import { TOOL_FILE_NAMES } from './tool-file-names.ts'

const TOOL_FILES = '**/*.{tools,agent}.{ts,mts,js,mjs}'
/** For messages. */

export interface Discovery {
  tools: Tool[]
  modules: Module[]
  failed_modules: FailedModule[]
  scan_duration_ms: number
  modules_scanned: number
}

interface CachedDiscovery {
  readonly found: Promise<Discovery>
  /** on the clock of `performance.now()` */
  until: number
}

const cache = new Map<string, CachedDiscovery>()

/**
 * Cached for as long as the `cacheTtl` of every tool allows, by default 300 s. `fresh` scans again (changed files are reloaded only in
 * watch mode). Throws if there is no such folder.
 */
export function discover(folder: string, options: { fresh?: boolean } = {}): Promise<Discovery> {
  const root = resolve(folder)
  const known = cache.get(root)
  const now = performance.now()
  if (known !== undefined && !options.fresh && now < known.until) return known.found
  const entry: CachedDiscovery = { found: scan(root), until: Number.POSITIVE_INFINITY }
  cache.set(root, entry)
  entry.found.then(
    ({ tools }) => {
      entry.until = now + cacheTtlMs(tools)
    },
    () => {
      if (cache.get(root) === entry) cache.delete(root)
    },
  )
  return entry.found
}

/** The tool files of a folder, sorted; `deep` looks into the folders below it too. */
export async function toolFiles(root: string, deep = true): Promise<string[]> {
  const files: string[] = []
  const pattern = deep ? TOOL_FILES : basename(TOOL_FILES)
  for await (const file of glob(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/.*/**', '**/dist/**'] })) {
    files.push(resolve(root, file))
  }
  return files.sort()
}

async function scan(root: string): Promise<Discovery> {
  const started = performance.now()
  await requireFolder(root)
  const files = await toolFiles(root)
  const outcomes = await Promise.all(files.map((file) => loadModule(file).catch((error) => moduleFailure(file, error))))
  const modules: Module[] = []
  const failed: FailedModule[] = []
  const definitions = new Definitions()
  for (const outcome of outcomes) {
    const failure = 'error_type' in outcome ? outcome : definitions.add(outcome)
    if (failure !== undefined) failed.push(failure)
    else modules.push(outcome as Module)
  }
  return {
    tools: modules.flatMap(({ tools }) => tools),
    modules,
    failed_modules: failed,
    scan_duration_ms: performance.now() - started,
    modules_scanned: files.length,
  }
}

/** A misspelled folder must not look like one without tools. */
async function requireFolder(root: string): Promise<void> {
  try {
    await readdir(root)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const why = Object.hasOwn(NO_FOLDER, code ?? '') ? NO_FOLDER[code as string] : `cannot be read (${code})`
    throw ToolError.of(
      'FileNotFoundError',
      `${root} ${why}. discover() takes a folder with tool files (${TOOL_FILE_NAMES}).`,
    )
  }
}

const NO_FOLDER: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EACCES: 'may not be read by this user',
}
