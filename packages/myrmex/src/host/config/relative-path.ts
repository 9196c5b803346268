/** Paths in a configuration are relative to the file's folder, and ~ is the home folder. */
import { isAbsolute, join, resolve } from 'node:path'
import type { ConfigContext } from './variables.ts'

type From = Pick<ConfigContext, 'folder' | 'home'>

export const resolvePath = (path: string, { folder, home }: From): string =>
  /^~([/\\]|$)/.test(path) ? join(home, path.slice(1)) : resolve(folder, path)

/** A program without a folder is looked up in PATH. */
export const resolveProgram = (command: string, from: From): string =>
  /[/\\]/.test(command) && !isAbsolute(command) ? resolvePath(command, from) : command
