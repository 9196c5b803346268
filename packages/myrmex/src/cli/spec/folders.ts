/**
 * Groups tool files by folder. A folder has one document for all tool files directly in it, also if only one of them was named on
 * the command line.
 */
import { stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { DOCUMENT } from '../../spec/render.ts'
import { toolFiles } from '../../tool/discovery/discover.ts'
import type { Module } from '../../tool/discovery/module.ts'
import { type ToolBody, toolBody } from '../../tool/verify/verify-tool.ts'
import { loadServer } from '../tools/load.ts'

export interface ToolFolder {
  /** as people write it: relative to where they are */
  readonly path: string
  readonly document: string
  readonly modules: readonly Module[]
}

/** All tool files of each folder. Every file must load: a document that leaves a tool out is wrong. */
export async function loadFolders(paths: readonly string[]): Promise<ToolFolder[]> {
  const files = new Map<string, string[]>()
  for (const file of await filesAt(paths)) {
    const folder = dirname(file)
    if (!files.has(folder)) files.set(folder, await toolFiles(folder, false))
  }
  const folders: ToolFolder[] = []
  for (const [folder, inside] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { modules } = await loadServer(inside)
    const document = relative(process.cwd(), join(folder, DOCUMENT))
    folders.push({ path: relative(process.cwd(), folder) || '.', document, modules })
  }
  return folders
}

/** Exactly the files that were named, and those in the folders that were named. */
export async function loadGiven(paths: readonly string[]): Promise<readonly Module[]> {
  return (await loadServer([...(await filesAt(paths))])).modules
}

async function filesAt(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const files = new Set<string>()
  for (const path of paths) for (const file of await filesOf(path)) files.add(file)
  return files
}

async function filesOf(path: string): Promise<string[]> {
  const full = resolve(path)
  const found = await stat(full).catch(() => undefined)
  if (found === undefined) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
  if (!found.isDirectory()) {
    if ((await toolFiles(dirname(full), false)).includes(full)) return [full]
    throw ToolError.of('ValidationError', `${path} is not a tool file (*.tools.ts, *.tools.js, *.agent.ts, *.agent.js)`)
  }
  const files = await toolFiles(full)
  if (files.length === 0) throw ToolError.of('FileNotFoundError', `no *.tools.ts or *.tools.js file in ${path}`)
  return files
}

export const bodiesOf = (modules: readonly Module[]): ToolBody[] => modules.flatMap(({ tools }) => tools.map(toolBody))
