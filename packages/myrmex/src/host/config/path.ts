/** Paths in a configuration: seen from the folder of the file, with ~ for the home of whoever runs the host. */
import { isAbsolute, join, resolve } from 'node:path'
import type { Around } from './fill.ts'

type From = Pick<Around, 'folder' | 'home'>

export const inFolder = (path: string, { folder, home }: From): string =>
  /^~([/\\]|$)/.test(path) ? join(home, path.slice(1)) : resolve(folder, path)

/** A program with no folder before its name is looked for in PATH. */
export const programIn = (command: string, from: From): string =>
  /[/\\]/.test(command) && !isAbsolute(command) ? inFolder(command, from) : command
