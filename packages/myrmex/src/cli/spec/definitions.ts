/** Reads definitions from a document, a tool file, a folder or a lock file. */
import { stat } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { completeDefinition } from '../../spec/definition.ts'
import { isSpecified } from '../../spec/document.ts'
import { baseOf } from '../../spec/lock.ts'
import { readDocument } from '../../spec/read.ts'
import type { Module } from '../../tool/discovery/module.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { compareVersions, isVersion } from '../../tool/version.ts'
import { readText } from '../read-text.ts'
import { loadServer } from '../tools/load.ts'
import { bodiesOf, loadFolders } from './folders.ts'
import { readLockFile } from './lock-file.ts'

/** Every version of each tool, the highest first. */
export type Definitions = ReadonlyMap<string, readonly ToolBody[]>

export async function definitionsIn(path: string): Promise<Definitions> {
  const all = await bodiesAt(path)
  for (const { name, version } of all) {
    if (isVersion(version)) continue
    const message = `${path}: ${name} has version ${JSON.stringify(version)}, which is not a semantic version`
    throw ToolError.of('ValidationError', message)
  }
  const found = Map.groupBy(all, ({ name }) => name)
  if (found.size === 0) throw ToolError.of('ValidationError', `${path} defines no tool`)
  for (const bodies of found.values()) bodies.sort((a, b) => compareVersions(a.version, b.version))
  return found
}

/** The version to compare with, as in `spec lock`: the same version if it exists, or else the release before it. */
export function comparedVersion(bodies: readonly ToolBody[], version: string): ToolBody | undefined {
  const base = baseOf(
    bodies.map((body) => body.version),
    version,
  )
  return bodies.find((body) => body.version === version) ?? bodies.find((body) => body.version === base) ?? bodies[0]
}

async function bodiesAt(path: string): Promise<ToolBody[]> {
  if (path.endsWith('.md')) {
    const { tools } = readDocument(await readText(path))
    return tools.filter(isSpecified).map((tool) => completeDefinition(tool, path))
  }
  if (!path.endsWith('.json')) return bodiesOf(await modulesAt(path))
  const lock = await readLockFile(path)
  if (lock === undefined) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
  return [...lock.tools.values()].flatMap(({ versions }) => [...versions.values()].map(({ definition }) => definition))
}

/** A file is only itself: other versions of its tools may be in the same folder. */
async function modulesAt(path: string): Promise<readonly Module[]> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (isFile) return (await loadServer([path])).modules
  return (await loadFolders([path])).flatMap(({ modules }) => modules)
}
