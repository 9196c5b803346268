/**
 * Commands of other packages: `myrmex NAME` is added by the package `myrmex-NAME`, if it is installed beside this one or in the
 * working directory. Built-in commands have precedence.
 */
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { exportedFile } from '../host/config/module-file.ts'

/** The `./command` export of such a package. */
export interface CommandModule {
  addCommand(program: Command): void
}

const NAME = /^[a-z][a-z0-9-]*$/

export async function addPackageCommand(program: Command, name: string | undefined): Promise<void> {
  if (name === undefined || !NAME.test(name) || name === 'help') return
  if (program.commands.some((command) => command.name() === name)) return
  const file = exportedFile(`myrmex-${name}/command`, process.cwd())
  if (file === undefined) return
  const { addCommand } = (await import(pathToFileURL(file).href)) as CommandModule
  addCommand(program)
}
