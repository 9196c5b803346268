/** Finds the `*.tools.ts|js` and `*.agent.ts|js` modules of a folder and loads each separately: a broken file affects no other. */
import { glob } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import type { Tool } from '../tool.ts'
import { loadModule, type Module } from './module.ts'

const TOOL_FILES = '**/*.{tools,agent}.{ts,mts,js,mjs}'
const CACHE_MS = 300_000

export interface FailedModule {
  module: string
  error: string
  error_type: string
}

export interface Discovery {
  tools: Tool[]
  modules: Module[]
  failed_modules: FailedModule[]
  scan_duration_ms: number
  modules_scanned: number
}

const cache = new Map<string, { at: number; found: Promise<Discovery> }>()

/** Cached for 300 s; `fresh` scans again (changed files are reloaded only in watch mode). */
export function discover(folder: string, options: { fresh?: boolean } = {}): Promise<Discovery> {
  const root = resolve(folder)
  const known = cache.get(root)
  if (known !== undefined && !options.fresh && performance.now() - known.at < CACHE_MS) return known.found
  const found = scan(root)
  cache.set(root, { at: performance.now(), found })
  found.catch(() => cache.delete(root))
  return found
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
  const files = await toolFiles(root)
  const outcomes = await Promise.all(files.map((file) => loadModule(file).catch((error) => moduleFailure(file, error))))
  const modules = outcomes.filter((outcome): outcome is Module => !('error_type' in outcome))
  return {
    tools: modules.flatMap(({ tools }) => tools),
    modules,
    failed_modules: outcomes.filter((outcome) => 'error_type' in outcome),
    scan_duration_ms: performance.now() - started,
    modules_scanned: files.length,
  }
}

export function moduleFailure(module: string, error: unknown): FailedModule {
  if (error instanceof ToolError) return { module, error: error.message, error_type: error.error_type }
  if (error instanceof Error) return { module, error: error.message, error_type: error.name }
  return { module, error: String(error), error_type: 'Error' }
}
