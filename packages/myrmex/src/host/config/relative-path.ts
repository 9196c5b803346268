/** Paths in a configuration: seen from the folder of the file, with ~ for the home of whoever runs the host. */
import { isAbsolute, join, resolve } from 'node:path'
import type { ConfigContext } from './variables.ts'

type From = Pick<ConfigContext, 'folder' | 'home'>

export const resolvePath = (path: string, { folder, home }: From): string =>
  /^~([/\\]|$)/.test(path) ? join(home, path.slice(1)) : resolve(folder, path)

/** A program with no folder before its name is looked for in PATH. */
export const resolveProgram = (command: string, from: From): string =>
  /[/\\]/.test(command) && !isAbsolute(command) ? resolvePath(command, from) : command
