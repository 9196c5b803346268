/** The lock file as the commands use it. */
import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { type Lock, type PresentTool, readLock, writeLock } from '../../spec/lock.ts'
import type { Module } from '../../tool/discovery/module.ts'
import type { Tool } from '../../tool/tool.ts'
import { toolBody } from '../../tool/verify/verify-tool.ts'
import { readTextIfPresent } from '../read-text.ts'

/** Undefined: there is none yet. */
export async function readLockFile(file: string): Promise<Lock | undefined> {
  const text = await readTextIfPresent(file)
  return text === undefined ? undefined : readLock(text, file)
}

export const writeLockFile = (file: string, lock: Lock): Promise<void> => writeFile(file, writeLock(lock))

/**
 * Paths in it are relative to it, so that it says the same wherever the repository lies. A tool that another file only exports again is
 * there once.
 */
export function presentTools(modules: readonly Module[], lockFile: string): PresentTool[] {
  const files = new Map<Tool, string>()
  for (const { file, tools } of modules) for (const tool of tools) if (!files.has(tool)) files.set(tool, file)
  return [...files].map(([tool, file]) => ({ body: toolBody(tool), file: fromLock(file, lockFile) }))
}

/**
 * Whether a file of the lock is among what was given: a tool of it that is not there any more was taken away. `folders`: naming a file is
 * naming the tool files of its folder.
 */
export function lockScope(
  paths: readonly string[],
  lockFile: string,
  { folders = false } = {},
): (file: string) => boolean {
  const given = paths.map((path) => fromLock(resolve(path), lockFile))
  return (file) =>
    given.some((path) => {
      if (path === '' || path === file) return true
      return TOOL_FILE.test(path) ? folders && dirname(file) === dirname(path) : file.startsWith(`${path}/`)
    })
}

const TOOL_FILE = /\.(tools|agent)\.m?[jt]s$/

const fromLock = (file: string, lockFile: string): string =>
  relative(dirname(resolve(lockFile)), resolve(file))
    .split(sep)
    .join('/')
