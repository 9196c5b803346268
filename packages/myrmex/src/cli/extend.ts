/**
 * Commands of other packages: `myrmex NAME` is what the package `myrmex-NAME` adds, where it is installed beside this one or in
 * the working directory. Only a name that is no command of ours is looked for.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'

/** What such a package exports as `./command`. */
export interface CommandModule {
  addCommand(program: Command): void
}

const NAME = /^[a-z][a-z0-9-]*$/

export async function addCommandOf(program: Command, name: string | undefined): Promise<void> {
  if (name === undefined || !NAME.test(name) || name === 'help') return
  if (program.commands.some((command) => command.name() === name)) return
  const file = fileOf(`myrmex-${name}/command`)
  if (file === undefined) return
  const { addCommand } = (await import(pathToFileURL(file).href)) as CommandModule
  addCommand(program)
}

function fileOf(specifier: string): string | undefined {
  for (const from of [import.meta.filename, join(process.cwd(), 'package.json')]) {
    try {
      return createRequire(from).resolve(specifier)
    } catch (error) {
      // Not there. Anything else that is wrong with a package is for its user to hear.
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}
