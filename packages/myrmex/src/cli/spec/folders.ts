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

/** Every file must load: a document that leaves a tool out is wrong. */
export async function loadFolders(paths: readonly string[]): Promise<ToolFolder[]> {
  const files = new Map<string, string[]>()
  for (const path of paths) {
    for (const folder of await foldersAt(path)) files.set(folder, await toolFiles(folder, false))
  }
  const folders: ToolFolder[] = []
  for (const [folder, inside] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { modules } = await loadServer(inside)
    const document = relative(process.cwd(), join(folder, DOCUMENT))
    folders.push({ path: relative(process.cwd(), folder) || '.', document, modules })
  }
  return folders
}

async function foldersAt(path: string): Promise<string[]> {
  const full = resolve(path)
  const found = await stat(full).catch(() => undefined)
  if (found === undefined) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
  if (!found.isDirectory()) {
    if ((await toolFiles(dirname(full), false)).includes(full)) return [dirname(full)]
    throw ToolError.of('ValidationError', `${path} is not a tool file (*.tools.ts, *.tools.js, *.agent.ts, *.agent.js)`)
  }
  const folders = [...new Set((await toolFiles(full)).map((file) => dirname(file)))]
  if (folders.length === 0) throw ToolError.of('FileNotFoundError', `no *.tools.ts or *.tools.js file in ${path}`)
  return folders
}

export const bodiesOf = (modules: readonly Module[]): ToolBody[] => modules.flatMap(({ tools }) => tools.map(toolBody))
