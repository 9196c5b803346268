/** The content of the lock file, and how it is written: the same releases always give the same bytes. */
import { canonical } from '../../protocol/canonical.ts'
import { sha256 } from '../../tool/hash.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { orderVersions } from '../../tool/version.ts'

export const LOCK_FILE = 'myrmex.lock.json'
export const LOCKFILE_VERSION = 1

export interface Release {
  /** SHA-256 over the canonical definition */
  readonly hash: string
  readonly definition: ToolBody
}

export interface LockedTool {
  /** the file or folder the tool is in, relative to the lock file, with / between the steps */
  readonly file: string
  readonly versions: ReadonlyMap<string, Release>
}

export interface Lock {
  readonly tools: ReadonlyMap<string, LockedTool>
}

export const EMPTY_LOCK: Lock = { tools: new Map() }

/** The definition hash of tool/hash.ts, of a tool of which only the definition is at hand. */
export const hashOf = (body: ToolBody): string => sha256(canonical(body))

/** Tools by name, versions from the lowest to the highest, the keys of a definition in canonical order. */
export function writeLock({ tools }: Lock): string {
  const written = [...tools]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { file, versions }]) => [name, { file, versions: writtenVersions(versions) }])
  return `${readableJson({ lockfileVersion: LOCKFILE_VERSION, tools: Object.fromEntries(written) })}\n`
}

const writtenVersions = (versions: LockedTool['versions']): object =>
  Object.fromEntries(
    [...versions]
      .sort(([a], [b]) => orderVersions(a, b))
      .map(([version, { hash, definition }]) => [version, { hash, definition: JSON.parse(canonical(definition)) }]),
  )
