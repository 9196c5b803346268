/**
 * Commands of other packages: `myrmex NAME` is added by the package `myrmex-NAME`, if it is installed beside this one, or in a working
 * directory that the user trusts. Built-in commands have precedence, and installed packages over those of a folder.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { exportedFile, installedFile } from '../host/config/module-file.ts'
import { isObject, parseJson } from '../protocol/json.ts'
import { clean } from '../serve/terminal.ts'

/** The `./command` export of such a package. */
export interface CommandModule {
  addCommand(program: Command): void
}

const PREFIX = 'myrmex-'
const NAME = /^[a-z][a-z0-9-]*$/

/** `words` are those of the command line. */
export async function addPackageCommands(program: Command, [first, second]: readonly string[]): Promise<void> {
  const chosen = first === 'help' ? second : first
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
  if (program.commands.some((command) => command.name() === name)) return
  const specifier = `${PREFIX}${name}/command`
  const installed = installedFile(specifier)
  const file = installed ?? exportedFile(specifier, process.cwd())
  if (file === undefined) return
  if (installed === undefined) await (await import('../serve/folder-trust.ts')).requireFolder('.')
  const { addCommand } = (await import(pathToFileURL(file).href)) as CommandModule
  addCommand(program)
}
