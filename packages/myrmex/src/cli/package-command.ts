/**
 * Commands of other packages: `myrmex NAME` is added by the package `myrmex-NAME`, if it is installed beside this one, or in the working
 * directory or one above it, if the user trusts that folder. Built-in commands have precedence, and installed packages over those of a folder.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { exportedFile, installedFile, packageFolder } from '../host/config/module-file.ts'
import { isObject, parseJson } from '../protocol/json.ts'
import { clean } from '../serve/terminal.ts'

/** The `./command` export of such a package. */
export interface CommandModule {
  addCommand(program: Command): void
}

const PREFIX = 'myrmex-'
const NAME = /^[a-z][a-z0-9-]*$/

/** `chosen` is the command that was given, or that help is asked for. */
export async function addPackageCommands(program: Command, chosen: string | undefined): Promise<void> {
  if (chosen === undefined || chosen === '--help' || chosen === '-h') await listPackageCommands(program)
  else await addPackageCommand(program, chosen)
}

/** For the list of commands a package is only described: asking for help must not run the code of a folder. */
async function listPackageCommands(program: Command): Promise<void> {
  const modules = join(process.cwd(), 'node_modules')
  const folders = await readdir(modules).catch(() => [])
  for (const folder of folders.filter((name) => name.startsWith(PREFIX)).sort()) {
    const text = await readFile(join(modules, folder, 'package.json'), 'utf8').catch(() => '')
    const { description, exports } = (parseJson(text) ?? {}) as { description?: unknown; exports?: unknown }
    const name = folder.slice(PREFIX.length)
    if (!NAME.test(name) || !isObject(exports) || exports['./command'] === undefined) continue
    if (program.commands.some((command) => command.name() === name)) continue
    program.command(name).description(clean(typeof description === 'string' ? description : ''))
  }
}

async function addPackageCommand(program: Command, name: string): Promise<void> {
  if (!NAME.test(name)) return
  const file = installedFile(`${PREFIX}${name}/command`) ?? (await folderCommand(`${PREFIX}${name}`))
  if (file === undefined) return
  const { addCommand } = (await import(pathToFileURL(file).href)) as CommandModule
  addCommand(program)
}

/** Only the folder that has the package decides, and not a working directory in which nothing is. */
async function folderCommand(name: string): Promise<string | undefined> {
  const folder = packageFolder(name, process.cwd())
  if (folder === undefined) return undefined
  await (await import('../serve/folder-trust.ts')).requireFolder(folder)
  return exportedFile(`${name}/command`, join(folder, 'node_modules', name))
}
