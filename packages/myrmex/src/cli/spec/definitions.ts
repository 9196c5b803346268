/** Definitions from whatever gives them: a document, tool files, a folder, a lock file. */
import { readFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { definitionOf } from '../../spec/definition.ts'
import { readDocument } from '../../spec/read.ts'
import type { Body } from '../../tool/verify.ts'
import { compareVersions, isVersion } from '../../tool/version.ts'
import { bodiesOf, foldersOf } from './folders.ts'
import { lockAt } from './locked.ts'

/** The highest version of each tool, by name. */
export async function definitionsIn(path: string): Promise<Map<string, Body>> {
  const highest = new Map<string, Body>()
  for (const body of await bodiesAt(path)) {
    if (!isVersion(body.version)) {
      const message = `${path}: ${body.name} has version ${JSON.stringify(body.version)}, which is not a semantic version`
      throw new ToolError('ValidationError', message)
    }
    const other = highest.get(body.name)
    if (other === undefined || compareVersions(body.version, other.version) < 0) highest.set(body.name, body)
  }
  if (highest.size === 0) throw new ToolError('ValidationError', `${path} defines no tool`)
  return highest
}

async function bodiesAt(path: string): Promise<Body[]> {
  if (path.endsWith('.md')) {
    return readDocument(await readFile(path, 'utf8')).tools.map((tool) => definitionOf(tool).body)
  }
  if (!path.endsWith('.json')) return (await foldersOf([path])).flatMap(({ modules }) => bodiesOf(modules))
  const lock = await lockAt(path)
  if (lock === undefined) throw new ToolError('FileNotFoundError', `${path} does not exist`)
  return [...lock.tools.values()].flatMap(({ versions }) => [...versions.values()].map(({ definition }) => definition))
}
