/**
 * Commands of other packages: `myrmex NAME` is added by the package `myrmex-NAME`, if it is installed beside this one or in the
 * working directory. Built-in commands have precedence.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { exportedFile } from '../host/config/module-file.ts'

/** The `./command` export of such a package. */
export interface CommandModule {
  addCommand(program: Command): void
}

const PREFIX = 'myrmex-'
const NAME = /^[a-z][a-z0-9-]*$/

/** The command that was chosen; for the list of commands, all that are installed in the working directory. */
export async function addPackageCommands(program: Command, chosen: string | undefined): Promise<void> {
  const isList = chosen === undefined || chosen === 'help' || chosen.startsWith('-')
  for (const name of isList ? await installedNames() : [chosen]) await addPackageCommand(program, name)
}

async function installedNames(): Promise<string[]> {
  const folders = await readdir(join(process.cwd(), 'node_modules')).catch(() => [])
  return folders.filter((folder) => folder.startsWith(PREFIX)).map((folder) => folder.slice(PREFIX.length))
}

async function addPackageCommand(program: Command, name: string): Promise<void> {
  if (!NAME.test(name)) return
  if (program.commands.some((command) => command.name() === name)) return
  const file = exportedFile(`${PREFIX}${name}/command`, process.cwd())
  if (file === undefined) return
  const { addCommand } = (await import(pathToFileURL(file).href)) as CommandModule
  addCommand(program)
}
